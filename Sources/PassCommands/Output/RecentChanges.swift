internal import Foundation
internal import PassModel
internal import PassStore

/// What changed lately in passes of the library: of those whose version in front is new, and not their
/// first. The files of others are not opened, so that a long list stays quick.
struct RecentChanges {
    /// How long a change is news, in seconds: a week.
    static let news: TimeInterval = 7 * 86_400
    /// Of so many passes the files are read, those that changed last.
    static let most = 1000

    /// How many passes changed lately beside these.
    let left: Int
    private var told: [StoredPass.ID: ToldChanges] = [:]

    init(_ passes: [StoredPass], in library: PassLibrary, _ reader: Reader) throws {
        let late = passes.filter { $0.current.changedAt > reader.now - RecentChanges.news }
        let previous = try library.previousVersions(of: late)
        let changed = late.filter { previous[$0.id] != nil }
        left = max(changed.count - RecentChanges.most, 0)
        let last = changed.sorted { $0.current.changedAt > $1.current.changedAt }
        for pass in last.prefix(RecentChanges.most) {
            guard let before = previous[pass.id] else { continue }
            told[pass.id] = ToldChanges(from: before, to: pass.current, in: library, reader)
        }
    }

    subscript(pass: StoredPass) -> ToldChanges? { told[pass.id] }
}

extension StoredVersion {
    /// When the issuer signed the change; where that is not known, or in the future, when it came.
    var changedAt: Date { min(signedAt ?? importedAt, importedAt) }
}

extension ToldChanges {
    /// Between two versions in the library; nil where a file cannot be read: what the library has lost
    /// is for `library check` to tell.
    init?(
        from old: StoredVersion, to new: StoredVersion, in library: PassLibrary, _ reader: Reader
    ) {
        guard let before = try? library.contents(of: old),
            let after = try? library.contents(of: new)
        else { return nil }
        self.init(from: before, to: after, reader)
    }
}

extension Reader {
    /// A moment of the last days: `today 14:03`.
    func recentMoment(_ date: Date) -> String {
        let moment = shortMoment(date)
        let time = moment.suffix(5)
        for (days, name) in [(0.0, "today"), (1, "yesterday")]
        where shortMoment(now - days * 86_400).dropLast(5) == moment.dropLast(5) {
            return "\(name) \(time)"
        }
        return moment
    }
}
