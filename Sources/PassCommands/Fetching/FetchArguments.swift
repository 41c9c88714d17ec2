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

extension FetchArguments {
    /// In bytes.
    var maximumSize: Int { (maxSize ?? 1024) << 20 }

    func configuration(in shell: Shell) -> FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.allowsHTTP = allowHTTP
        configuration.allowsPrivateAddresses = allowPrivate
        configuration.userAgent = userAgent ?? "passconduit/\(Release.version)"
        // A server that runs this as a CGI program has HTTP_PROXY from whoever asks it.
        for name in ["https_proxy", "all_proxy", "no_proxy"] {
            let value = shell.environment[name] ?? shell.environment[name.uppercased()]
            configuration.proxies[name] = value
        }
        configuration.proxies["http_proxy"] = shell.environment["http_proxy"]
        configuration.authorities = shell.environment["SSL_CERT_FILE"]
        configuration.authorityFolder = shell.environment["SSL_CERT_DIR"]
        return configuration
    }
}
