internal import ArgumentParser
internal import Bytes
internal import Fetching

/// What may be fetched, and how.
struct FetchArguments: ParsableArguments {
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

    @Option(
        help: ArgumentHelp("Give up on what is larger (default: 1024).", valueName: "MiB"),
        transform: positive)
    var maxSize: Int?

    func validate() throws {
        if let userAgent, !userAgent.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) || userAgent.isEmpty {
            throw ValidationError("--user-agent needs a text of ASCII characters")
        }
        if let maxSize, maxSize > 1 << 20 { throw ValidationError("--max-size is too large") }
    }
}

extension FetchConfiguration {
    /// As the variables of the shell want it.
    init(in environment: Environment) {
        self.init()
        // A server that runs this as a CGI program has HTTP_PROXY from whoever asks it.
        for name in ["https_proxy", "all_proxy", "no_proxy"] {
            proxies[name] = environment[name] ?? environment[name.uppercased()]
        }
        proxies["http_proxy"] = environment["http_proxy"]
        authorities = environment["SSL_CERT_FILE"]
        authorityFolder = environment["SSL_CERT_DIR"]
    }
}

extension FetchArguments {
    var conditions: DownloadConditions {
        DownloadConditions(
            allowsHTTP: allowHTTP, allowsPrivateAddresses: allowPrivate, userAgent: userAgent,
            maximumSize: maxSize.map { $0 << 20 })
    }
}
