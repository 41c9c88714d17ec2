package import Foundation
internal import Localization
internal import PassModel
package import PassStore

/// Recent changes in passes of the library: for each pass whose current version arrived in the last
/// week and replaced another one, how it differs from its earlier content. The files of other passes
/// are not read, so that a long list stays fast.
package struct RecentChanges {
    /// How long a change counts as recent: a week, in seconds.
    package static let news: TimeInterval = 7 * 86_400
    /// Maximum number of passes whose files are read; the latest changes come first.
    package static let most = 1000

    /// Number of recently changed passes beyond that maximum.
    package let left: Int
    private var told: [StoredPass.ID: ToldChanges] = [:]

    package init(_ passes: [StoredPass], in library: PassLibrary, _ displayLocale: DisplayLocale)
        throws
    {
        let start = displayLocale.now - RecentChanges.news
        let replacing = try library.passesWithHistory()
        var late = passes.filter { $0.current.arrival > start && replacing.contains($0.id) }
            .sorted { $0.current.arrival > $1.current.arrival }[...]
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

    /// Number of passes whose versions are queried at a time.
    private static let part = 500

    package subscript(pass: StoredPass) -> ToldChanges? { told[pass.id] }
}

extension StoredPass {
    /// The version that was current at a time, or else the first; nil if the library had none
    /// before the current one. Versions that arrived in the same import do not count: an archive of
    /// old mail brings years of changes at once.
    ///
    /// - Parameter versions: All versions, newest first.
    fileprivate func version(before time: Date, of versions: [StoredVersion]) -> StoredVersion? {
        let others = versions.filter { $0.arrival < current.arrival }
        return others.first { $0.arrival <= time } ?? others.last
    }
}

extension ToldChanges {
    /// Compares two versions in the library; nil if a file cannot be read, which `library check`
    /// reports.
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
