internal import Foundation
internal import PassModel
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// The state of the library at one moment.
struct LibrarySnapshot: Sendable {
    private(set) var passes: [StoredPass.ID: StoredPass] = [:]
    private var numbers: [PassIdentity: StoredPass.ID] = [:]
    private(set) var rows: [ListRow] = []
    private(set) var places: [StoredPass.ID: PassPlace] = [:]
    /// The time for which the sections were computed.
    private(set) var moment = Date.now
    /// The anchors that the user trusted then.
    private(set) var anchors: TrustAnchors?
    /// When the next pass changes its section.
    private(set) var nextChange: Date?
    /// Whether passes are updated automatically, apart from those whose own setting is off.
    var updatesAutomatically = true
    /// Whether all passes have been read.
    var isWhole = false
    /// Why they could not be read, as an escaped clause.
    var problem: String?
    /// Whether the reason is a damaged index, which can be mended.
    var isDamaged = false
    /// How often the library was opened again, possibly as another one.
    var replacements = 0

    mutating func put(_ pass: StoredPass) {
        if let old = numbers.updateValue(pass.id, forKey: pass.identity), old != pass.id {
            passes[old] = nil
        }
        passes[pass.id] = pass
    }

    mutating func remove(_ identity: PassIdentity) {
        if let id = numbers.removeValue(forKey: identity) { passes[id] = nil }
    }

    mutating func arrange(at now: Date, trusting anchors: TrustAnchors? = nil) {
        moment = now
        self.anchors = anchors
        places = passes.mapValues { PassPlace(of: $0.current, now: now) }
        rows = ListRow.arranged(passes.values, at: places)
        nextChange = passes.values.lazy.compactMap {
            PassSection.nextChange(of: $0.current, after: now)
        }.min()
    }

    func pass(_ identity: PassIdentity) -> StoredPass? { numbers[identity].flatMap { passes[$0] } }

    /// Whether both snapshots have a pass in common.
    func hasPass(of other: LibrarySnapshot) -> Bool {
        other.passes.values.contains { pass($0.identity) != nil }
    }

    /// The passes that differ from an earlier snapshot.
    func changed(since old: LibrarySnapshot) -> Set<StoredPass.ID> {
        Set(
            passes.values.lazy.filter { pass in
                guard let before = old.passes[pass.id] else { return false }
                return before != pass || places[pass.id] != old.places[pass.id]
                    || anchors != old.anchors && isLost(pass) != old.isLost(before)
            }.map(\.id))
    }

    /// Whether a pass differs from an earlier snapshot in more than the user's settings.
    func hasNews(of id: StoredPass.ID, since old: LibrarySnapshot) -> Bool {
        guard let pass = passes[id], let before = old.passes[id] else { return true }
        return before.identity != pass.identity || before.current != pass.current
            || places[id] != old.places[id]
            || anchors != old.anchors && isLost(pass) != old.isLost(before)
    }

    /// Whether the pass was trusted when it was added, and no longer is.
    func isLost(_ pass: StoredPass) -> Bool {
        anchors.map { pass.isVouchedFor(by: $0) == false } ?? false
    }
}
