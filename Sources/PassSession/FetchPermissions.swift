internal import ArgumentParser

/// Options that permit unusual requests.
package struct FetchPermissions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Also fetch http: URLs, which anyone on the way can read and change."))
    var allowHTTP = false

    @Flag(
        help: ArgumentHelp(
            "Also fetch from this computer and from private networks, where a stranger's link may "
                + "reach services that are not public."))
    var allowPrivate = false

    @Option(
        help: ArgumentHelp(
            "Name this program to servers (some answer only phones).", valueName: "text"))
    var userAgent: String?

    package init() {}

    package func validate() throws {
        if let userAgent, !userAgent.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) || userAgent.isEmpty {
            throw ValidationError("--user-agent needs a text of ASCII characters")
        }
    }
}

extension FetchPermissions {
    package var conditions: DownloadConditions {
        DownloadConditions(
            allowsHTTP: allowHTTP, allowsPrivateAddresses: allowPrivate, userAgent: userAgent)
    }

    /// The options as given.
    package var words: [String] {
        (allowHTTP ? ["--allow-http"] : []) + (allowPrivate ? ["--allow-private"] : [])
            + (userAgent.map { ["--user-agent", $0] } ?? [])
    }
}
