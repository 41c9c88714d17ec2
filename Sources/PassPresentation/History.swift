internal import Localization
internal import PassModel
package import PassStore

/// The versions of a pass, the one in front first, and what each changed.
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

    /// What a version changed in the one before it; nil for the first.
    package func changes(in version: StoredVersion) -> ToldChanges? {
        pairs.first { $0.version.id == version.id }.flatMap(changes)
    }

    /// Each version with its changes.
    package var past: [PastVersion] {
        pairs.map { PastVersion(version: $0.version, changes: changeLines($0)) }
    }

    package typealias Pair = (version: StoredVersion, before: StoredVersion?)

    /// Each version with the one before it.
    package var pairs: [Pair] {
        Array(zip(versions, versions.dropFirst().map(Optional.some) + [nil]))
    }

    package func changes(in pair: Pair) -> ToldChanges? {
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

/// A version of a pass, and what is to be said of it, in escaped lines.
package struct PastVersion: Sendable {
    package let version: StoredVersion
    /// What it changed in the one before it.
    package let changes: [String]
    package var origins: [String] { version.origins.map(\.inWords) }
}
