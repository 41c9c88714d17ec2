internal import PassModel

/// A route of the web service.
enum ServiceRoute: Equatable {
    /// `/v1/devices/{device}/registrations/{type}/{serial}`
    case registration(device: String, PassIdentity)
    /// `/v1/devices/{device}/registrations/{type}`
    case registrations(device: String, type: String)
    /// `/v1/passes/{type}/{serial}`
    case pass(PassIdentity)
    /// `/v1/log`
    case log
    /// `/download/{key}`
    case downloadPage(key: String)
    /// `/download/{key}/pass.pkpass`
    case download(key: String)

    /// Nil for another path. The path is split before its segments are decoded, so a serial number
    /// may contain an encoded slash.
    ///
    /// - Parameter prefix: The path before `/v1/` and `/download/`, without a slash at its end.
    init?(_ path: String, under prefix: String) {
        guard path.utf8.starts(with: "\(prefix)/".utf8) else { return nil }
        let segments = path.utf8.dropFirst(prefix.utf8.count + 1)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var words = segments.compactMap(PathSegment.decoded)
        guard words.count == segments.count, segments.count > 1 else { return nil }
        switch words.removeFirst() {
        case "v1": self.init(words)
        case "download" where words.count == 1: self = .downloadPage(key: words[0])
        case "download" where words.count == 2 && words[1] == "pass.pkpass":
            self = .download(key: words[0])
        default: return nil
        }
    }

    private init?(_ words: [String]) {
        switch words.count {
        case 1 where words[0] == "log":
            self = .log
        case 3 where words[0] == "passes":
            self = .pass(PassIdentity(passTypeIdentifier: words[1], serialNumber: words[2]))
        case 4 where words[0] == "devices" && words[2] == "registrations":
            self = .registrations(device: words[1], type: words[3])
        case 5 where words[0] == "devices" && words[2] == "registrations":
            self = .registration(
                device: words[1],
                PassIdentity(passTypeIdentifier: words[3], serialNumber: words[4]))
        default:
            return nil
        }
    }

    /// The value of the field Allow (RFC 9110, 10.2.1).
    var methods: [String] {
        switch self {
        case .registration: ["POST", "DELETE"]
        case .registrations, .pass, .downloadPage, .download: ["GET", "HEAD"]
        case .log: ["POST"]
        }
    }

    /// The pass whose authentication token is required.
    var pass: PassIdentity? {
        switch self {
        case .registration(_, let pass), .pass(let pass): pass
        default: nil
        }
    }

    /// The name in metrics and logs.
    var name: String {
        switch self {
        case .registration: "registration"
        case .registrations: "registrations"
        case .pass: "pass"
        case .log: "log"
        case .downloadPage: "page"
        case .download: "download"
        }
    }
}
