internal import ArgumentParser
package import Fetching

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

    @Option(
        help: ArgumentHelp(
            "Give up on a server that is below the minimum rate for so long (default: 45).",
            valueName: "seconds"),
        transform: positive)
    var idleTimeout: Int?

    @Option(
        help: ArgumentHelp(
            "The minimum rate of a server, per second (default: 10).", valueName: "bytes"),
        transform: positive)
    var minRate: Int?

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

    /// The settings for all requests, with the variables of the environment.
    package func configuration(in environment: Environment) -> FetchConfiguration {
        var configuration = FetchConfiguration(in: environment)
        if let idleTimeout { configuration.idleTimeout = Double(idleTimeout) }
        if let minRate { configuration.minimumRate = Double(minRate) }
        return configuration
    }

    /// The options as given.
    package var words: [String] {
        (allowHTTP ? ["--allow-http"] : []) + (allowPrivate ? ["--allow-private"] : [])
            + (userAgent.map { ["--user-agent", $0] } ?? [])
            + (idleTimeout.map { ["--idle-timeout", String($0)] } ?? [])
            + (minRate.map { ["--min-rate", String($0)] } ?? [])
    }
}
