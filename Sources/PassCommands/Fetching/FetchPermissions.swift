internal import ArgumentParser

/// What may be fetched, and how.
struct FetchPermissions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Fetch http: URLs too, where anybody on the way can read and change what comes."))
    var allowHTTP = false

    @Flag(
        help: ArgumentHelp(
            "Fetch from this computer and from private networks too, where a link that a stranger "
                + "wrote may reach what is not meant for him."))
    var allowPrivate = false

    @Option(
        help: ArgumentHelp(
            "Tell servers that this program asks (some answer only phones).", valueName: "text"))
    var userAgent: String?

    func validate() throws {
        if let userAgent, !userAgent.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) || userAgent.isEmpty {
            throw ValidationError("--user-agent needs a text of ASCII characters")
        }
    }
}

extension FetchPermissions {
    var conditions: DownloadConditions {
        DownloadConditions(
            allowsHTTP: allowHTTP, allowsPrivateAddresses: allowPrivate, userAgent: userAgent)
    }

    /// The options as they were given.
    var words: [String] {
        (allowHTTP ? ["--allow-http"] : []) + (allowPrivate ? ["--allow-private"] : [])
            + (userAgent.map { ["--user-agent", $0] } ?? [])
    }
}
