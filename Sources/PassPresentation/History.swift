internal import Localization
internal import PassModel
package import PassStore

/// The versions of a pass, the current one first, and what each changed.
package struct History {
    package let versions: [StoredVersion]
    private let library: PassLibrary
    package let displayLocale: DisplayLocale

    package init(
        _ versions: [StoredVersion], in library: PassLibrary, _ displayLocale: DisplayLocale
    ) {
        self.versions = versions
        self.library = library
        self.displayLocale = displayLocale
    }

    /// How a version differs from the one before it; nil for the first.
    package func changes(in version: StoredVersion) -> ToldChanges? {
        pairs.first { $0.version.id == version.id }.flatMap(changes)
    }

    /// All versions with their changes.
    package var past: [PastVersion] {
        pairs.map { PastVersion(version: $0.version, changes: changeLines($0)) }
    }

    package typealias Pair = (version: StoredVersion, before: StoredVersion?)

    /// Each version with its predecessor.
    package var pairs: [Pair] {
        Array(zip(versions, versions.dropFirst().map(Optional.some) + [nil]))
    }

    package func changes(in pair: Pair) -> ToldChanges? {
        pair.before.flatMap { ToldChanges(from: $0, to: pair.version, in: library, displayLocale) }
    }

    /// The issuer's messages; changes without one are shown as old and new value.
    private func changeLines(_ pair: Pair) -> [String] {
        guard let before = pair.before, let old = try? library.contents(of: before),
            let new = try? library.contents(of: pair.version)
        else { return [] }
        return PassChanges(old: old, new: new, displayLocale: displayLocale).linesWithMessages
    }
}

/// A version of a pass and its changes, in escaped lines.
package struct PastVersion: Sendable {
    package let version: StoredVersion
    /// How it differs from the version before it.
    package let changes: [String]
    package var origins: [String] { version.origins.map(\.inWords) }
}
