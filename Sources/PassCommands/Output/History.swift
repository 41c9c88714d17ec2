internal import Localization
internal import PassModel
internal import PassStore

/// The versions of a pass, the one in front first, and what each changed.
struct History {
    private let versions: [StoredVersion]
    private let library: PassLibrary
    private let displayLocale: DisplayLocale

    init(_ versions: [StoredVersion], in library: PassLibrary, _ displayLocale: DisplayLocale) {
        self.versions = versions
        self.library = library
        self.displayLocale = displayLocale
    }

    /// What a version changed in the one before it; nil for the first.
    func changes(in version: StoredVersion) -> ToldChanges? {
        pairs.first { $0.version.id == version.id }.flatMap(changes)
    }

    var records: [VersionRecord] { pairs.map { VersionRecord($0.version, changes(in: $0)) } }

    /// A line for each version, and below it one for each of its changes.
    func lines(on terminal: Terminal) -> [String] {
        let heads = aligned(
            versions.map { version in
                [
                    "  \(version.sha256.prefix(12))",
                    painted(version.verdict, on: terminal),
                    version.signedAt.map {
                        localized("signed {date}", ["date": displayLocale.shortMoment($0)])
                    } ?? localized("no signing time"),
                    version.origins.first?.inWords ?? "",
                ]
            })
        return zip(heads, pairs).flatMap { head, pair in
            [head] + changeLines(pair).map { "    \($0)" }
        }
    }

    /// Each version with its changes.
    var past: [PastVersion] {
        pairs.map { PastVersion(version: $0.version, changes: changeLines($0)) }
    }

    private typealias Pair = (version: StoredVersion, before: StoredVersion?)

    private var pairs: [Pair] {
        Array(zip(versions, versions.dropFirst().map(Optional.some) + [nil]))
    }

    private func changes(in pair: Pair) -> ToldChanges? {
        pair.before.flatMap { ToldChanges(from: $0, to: pair.version, in: library, displayLocale) }
    }

    /// In the issuer's words, and what it has none for as it was and is.
    private func changeLines(_ pair: Pair) -> [String] {
        guard let before = pair.before, let old = try? library.contents(of: before),
            let new = try? library.contents(of: pair.version)
        else { return [] }
        return PassChanges(old: old, new: new, displayLocale: displayLocale).linesWithMessages
    }
}
