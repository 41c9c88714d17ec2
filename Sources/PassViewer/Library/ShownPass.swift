internal import PassStore

/// What stands beside the list.
struct ShownPass {
    /// Which pass is, or will be, shown.
    var id: StoredPass.ID?
    /// Which version of it; nil for the one in front.
    var version: StoredVersion?
    /// Nil while it is read, and where it cannot be.
    var pane: DetailPane?
    var hasFailed = false
    /// Several are chosen, and none is shown.
    var isSeveral = false
    /// How often something was read: the last counts.
    var readings = 0
    /// One at a time: who holds a key down goes past hundreds.
    var isReading = false

    var isOpen: Bool { pane != nil || hasFailed }
}
