package import ArgumentParser
internal import Bytes
internal import Fetching

/// The options for fetching URLs.
package struct FetchArguments: ParsableArguments {
    @OptionGroup package var permissions: FetchPermissions

    @Option(
        help: ArgumentHelp("The largest file to fetch (default: 1024).", valueName: "MiB"),
        transform: positive)
    package var maxSize: Int?

    package init() {}

    package func validate() throws {
        if let maxSize, maxSize > 1 << 20 { throw ValidationError("--max-size is too large") }
    }
}

extension FetchArguments {
    package var conditions: DownloadConditions {
        var conditions = permissions.conditions
        conditions.maximumSize = maxSize.map { $0 << 20 }
        return conditions
    }

    /// The options as given, for another process of the program.
    package var words: [String] {
        permissions.words + (maxSize.map { ["--max-size", String($0)] } ?? [])
    }
}

extension FetchConfiguration {
    /// Uses the variables of the environment.
    init(in environment: Environment) {
        self.init()
        // In a CGI program, HTTP_PROXY is set by the client's `Proxy` header.
        for name in ["https_proxy", "all_proxy", "no_proxy"] {
            proxies[name] = environment[name] ?? environment[name.uppercased()]
        }
        proxies["http_proxy"] = environment["http_proxy"]
        authorities = environment["SSL_CERT_FILE"]
        authorityFolder = environment["SSL_CERT_DIR"]
    }
}

/// Parses a positive number.
package func positive(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw ValidationError("a number from 1 up") }
    return number
}
