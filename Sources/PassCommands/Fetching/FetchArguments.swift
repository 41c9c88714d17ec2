internal import ArgumentParser
internal import Bytes
internal import Fetching

/// What may be fetched, how, and how much of it.
struct FetchArguments: ParsableArguments {
    @OptionGroup var permissions: FetchPermissions

    @Option(
        help: ArgumentHelp("The largest file to fetch (default: 1024).", valueName: "MiB"),
        transform: positive)
    var maxSize: Int?

    func validate() throws {
        if let maxSize, maxSize > 1 << 20 { throw ValidationError("--max-size is too large") }
    }
}

extension FetchArguments {
    var conditions: DownloadConditions {
        var conditions = permissions.conditions
        conditions.maximumSize = maxSize.map { $0 << 20 }
        return conditions
    }

    /// The options as they were given, for another run of the program.
    var words: [String] {
        permissions.words + (maxSize.map { ["--max-size", String($0)] } ?? [])
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
