package import Foundation
internal import Localization
internal import PassModel
package import PassStore
internal import PassUpdates

/// What changed lately in passes of the library: of those whose version in front is new, and not their
/// first, all that it says differently from what they said before. The files of others are not opened, so
/// that a long list stays quick.
package struct RecentChanges {
    /// How long a change is news, in seconds: a week.
    package static let news: TimeInterval = 7 * 86_400
    /// Of so many passes the files are read, those that changed last.
    package static let most = 1000

    /// How many passes changed lately beside these.
    package let left: Int
    private var told: [StoredPass.ID: ToldChanges] = [:]

    package init(_ passes: [StoredPass], in library: PassLibrary, _ displayLocale: DisplayLocale)
        throws
    {
        let start = displayLocale.now - RecentChanges.news
        var late = passes.filter { $0.changedAt > start }
            .sorted { $0.changedAt > $1.changedAt }[...]
        var changed = 0
        while !late.isEmpty {
            let part = late.prefix(RecentChanges.part)
            late = late.dropFirst(part.count)
            let versions = try library.versions(of: part)
            for pass in part {
                guard let before = pass.version(before: start, of: versions[pass.id] ?? []) else {
                    continue
                }
                changed += 1
                guard changed <= RecentChanges.most else { continue }
                told[pass.id] = ToldChanges(
                    from: before, to: pass.current, in: library, displayLocale)
            }
        }
        left = max(changed - RecentChanges.most, 0)
    }

    /// Of so many passes the versions are known at a time.
    private static let part = 500

    package subscript(pass: StoredPass) -> ToldChanges? { told[pass.id] }
}

extension StoredPass {
    /// When the version in front came to say what it says.
    package var changedAt: Date { changedAt(current) }

    /// When the issuer signed it; where that is not known, or in the future, when it came. The issuer's
    /// web service had nothing newer until it was asked: what it gave is as old as that.
    private func changedAt(_ version: StoredVersion) -> Date {
        let came = version.importedAt
        if let origin = version.origins.first, WebService.isPlace(origin.source, of: identity) {
            return came
        }
        return min(version.signedAt ?? came, came)
    }

    /// What the pass said at a time, or first; nil where it has one version.
    ///
    /// - Parameter versions: All, each before those that it would stand in front of.
    fileprivate func version(before time: Date, of versions: [StoredVersion]) -> StoredVersion? {
        let others = versions.filter { $0.id != current.id }
        return others.first { changedAt($0) <= time } ?? others.last
    }
}

extension ToldChanges {
    /// Between two versions in the library; nil where a file cannot be read: what the library has lost
    /// is for `library check` to tell.
    package init?(
        from old: StoredVersion, to new: StoredVersion, in library: PassLibrary,
        _ displayLocale: DisplayLocale
    ) {
        guard let before = try? library.contents(of: old),
            let after = try? library.contents(of: new)
        else { return nil }
        self.init(from: before, to: after, displayLocale)
    }
}

extension DisplayLocale {
    /// A moment of the last days: `today 14:03`.
    package func recentMoment(_ date: Date) -> String {
        let moment = shortMoment(date)
        let time = moment.suffix(5)
        for (days, name) in [(0.0, localized("today")), (1, localized("yesterday"))]
        where shortMoment(now - days * 86_400).dropLast(5) == moment.dropLast(5) {
            return "\(name) \(time)"
        }
        return moment
    }
}
