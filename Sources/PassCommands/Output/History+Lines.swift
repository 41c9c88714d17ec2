internal import Localization
internal import PassPresentation
internal import PassStore
internal import PassVerification

extension History {
    var records: [VersionRecord] { pairs.map { VersionRecord($0.version, changes(in: $0)) } }

    /// A line for each version, followed by one for each of its changes.
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
        return zip(heads, past).flatMap { head, version in
            [head] + version.changes.map { "    \($0)" }
        }
    }
}
