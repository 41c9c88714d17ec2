internal import PassStore

/// What the pane beside the list shows.
struct ShownPass {
    /// The pass that is shown or being read.
    var id: StoredPass.ID?
    /// The version that is shown; nil for the current one.
    var version: StoredVersion?
    /// Nil while the pass is read, or if it cannot be read.
    var pane: DetailPane?
    var hasFailed = false
    /// Whether several passes are selected and none is shown.
    var isSeveral = false
    /// Number of the latest reading; results of earlier ones are discarded.
    var readings = 0
    /// Only one reading runs at a time: holding a key down selects hundreds of passes.
    var isReading = false

    var isOpen: Bool { pane != nil || hasFailed }
}
