internal import Foundation
internal import PassModel
internal import PassStore

/// What is in the library now.
struct LibrarySnapshot: Sendable {
    private(set) var passes: [StoredPass.ID: StoredPass] = [:]
    private var numbers: [PassIdentity: StoredPass.ID] = [:]
    private(set) var rows: [ListRow] = []
    private(set) var places: [StoredPass.ID: PassPlace] = [:]
    /// What counts as now.
    private(set) var moment = Date.now
    /// When a pass comes to another place next.
    private(set) var nextChange: Date?
    /// Whether all of them are here.
    var isWhole = false
    /// Why they are not, as an escaped clause.
    var problem: String?
    /// How often the library was found to be another one.
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

    mutating func arrange(at now: Date) {
        moment = now
        places = passes.mapValues { PassPlace(of: $0.current, now: now) }
        rows = ListRow.arranged(passes.values, at: places)
        nextChange = passes.values.lazy.compactMap {
            PassSection.nextChange(of: $0.current, after: now)
        }.min()
    }

    func pass(_ identity: PassIdentity) -> StoredPass? { numbers[identity].flatMap { passes[$0] } }

    /// Whether any pass of another one is in it.
    func hasPass(of other: LibrarySnapshot) -> Bool {
        other.passes.values.contains { pass($0.identity) != nil }
    }

    /// Which passes are no longer as they were.
    func changed(since old: LibrarySnapshot) -> Set<StoredPass.ID> {
        Set(
            passes.values.lazy.filter { pass in
                guard let before = old.passes[pass.id] else { return false }
                return before != pass || places[pass.id] != old.places[pass.id]
            }.map(\.id))
    }
}
