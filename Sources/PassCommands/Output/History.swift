internal import PassModel
internal import PassStore

/// The versions of a pass, the one in front first, and what each changed.
struct History {
    private let versions: [StoredVersion]
    private let library: PassLibrary
    private let reader: Reader

    init(_ versions: [StoredVersion], in library: PassLibrary, _ reader: Reader) {
        self.versions = versions
        self.library = library
        self.reader = reader
    }

    /// What a version changed in the one before it; nil for the first.
    func changes(in version: StoredVersion) -> ToldChanges? {
        before(version).flatMap { ToldChanges(from: $0, to: version, in: library, reader) }
    }

    var records: [VersionRecord] { versions.map { VersionRecord($0, changes(in: $0)) } }

    /// A line for each version, and below it one for each of its changes.
    func lines(on terminal: Terminal) -> [String] {
        let heads = aligned(
            versions.map { version in
                [
                    "  \(version.sha256.prefix(12))",
                    painted(version.verdict, on: terminal),
                    version.signedAt.map { "signed \(reader.shortMoment($0))" }
                        ?? "no signing time",
                    version.origins.first?.inWords ?? "",
                ]
            })
        return zip(heads, versions).flatMap { head, version in
            [head] + changeLines(version).map { "    \($0)" }
        }
    }

    private func before(_ version: StoredVersion) -> StoredVersion? {
        versions.drop { $0.id != version.id }.dropFirst().first
    }

    /// In the issuer's words, and what it has none for as it was and is.
    private func changeLines(_ version: StoredVersion) -> [String] {
        guard let previous = before(version), let old = try? library.contents(of: previous),
            let new = try? library.contents(of: version)
        else { return [] }
        return PassChanges(old: old, new: new, reader: reader).linesWithMessages
    }
}
