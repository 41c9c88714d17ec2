internal import Localization
internal import PassPresentation
internal import PassStore
internal import PassVerification

extension History {
    var records: [VersionRecord] { pairs.map { VersionRecord($0.version, changes(in: $0)) } }

    /// A line for each version, followed by one for each of its changes.
    func lines(on terminal: Terminal) -> [String] {
        let rows = versions.map { version in
            [
                "  \(version.sha256.prefix(12))",
                painted(version.verdict, on: terminal),
                version.signedAt.map {
                    localized("signed {date}", ["date": displayLocale.shortMoment($0)])
                } ?? localized("no signing time"),
                version.origins.first?.inWords ?? "",
            ]
        }
        var heads = aligned(rows).map { [$0] }
        // What does not fit beside the others is below them.
        if terminal.isTerminal, heads.contains(where: { columns($0[0]) > terminal.lineWidth }) {
            heads = zip(aligned(rows.map { $0.dropLast() }), rows).map { head, row in
                [head]
                    + wrapped(row[3], to: terminal.lineWidth - 4).filter { !$0.isEmpty }.map {
                        "    \($0)"
                    }
            }
        }
        return zip(heads, past).flatMap { head, version in
            head + version.changes.map { "    \($0)" }
        }
    }
}
