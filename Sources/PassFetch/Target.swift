import Bytes
import CCurl
internal import Fetching
internal import FoundationEssentials

/// An origin (RFC 6454).
struct Origin: Hashable, Sendable, CustomStringConvertible {
    var isSecure: Bool
    /// In lower case and ASCII; an IP address in canonical form, without brackets.
    var host: String
    var port: Int

    /// For display, without the default port.
    var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
}

/// A URL that may be fetched, in canonical form.
struct Target: Sendable, Equatable {
    /// Without user, password and fragment.
    let url: String
    let origin: Origin
    /// The address, if the host is one in any notation.
    let address: HostAddress?
    /// The value of Authorization for user name and password in the URL (RFC 7617).
    let credentials: String?

    /// - Throws: ``FetchFailure`` with the code `url` or `insecure`, which contains only the host:
    ///   the rest of the URL may be secret.
    init(_ text: String, allowsHTTP: Bool) throws(FetchFailure) {
        if let refusal = FetchRequest.refusal(of: text) { throw refusal }
        guard let parts = CurlURL(text), let scheme = parts[CURLUPART_SCHEME]?.lowercased() else {
            throw FetchFailure(.notURL)
        }
        guard scheme == "https" || scheme == "http" else {
            throw FetchFailure(.unknownScheme(String(scheme.prefix(20))))
        }
        let (host, address) = try Target.host(parts)
        let isSecure = scheme == "https"
        let usual = isSecure ? 443 : 80
        let port = parts[CURLUPART_PORT].map { Int($0) ?? 0 } ?? usual
        guard port > 0 else { throw FetchFailure(.invalidPort(port)) }
        origin = Origin(isSecure: isSecure, host: host, port: port)
        self.address = address
        guard isSecure || allowsHTTP else {
            throw FetchFailure(.insecure(host: origin.description))
        }
        credentials = Target.credentials(parts)
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT] {
            parts.replace(part, with: nil)
        }
        parts.replace(CURLUPART_HOST, with: host.contains(":") ? "[\(host)]" : host)
        parts.replace(CURLUPART_PORT, with: port == usual ? nil : String(port))
        guard let text = parts[CURLUPART_URL] else { throw FetchFailure(.notURL) }
        url = text
    }

    /// The target of a redirect (RFC 9110, 10.2.2).
    func redirected(to location: String, allowsHTTP: Bool) throws(FetchFailure) -> Target {
        guard let next = CurlURL(url), next.resolve(location) else {
            throw FetchFailure(.redirectToNoURL(host: origin.description))
        }
        let target: Target
        do throws(FetchFailure) {
            target = try Target(next[CURLUPART_URL] ?? "", allowsHTTP: allowsHTTP)
        } catch {
            guard error.code == .url else { throw error }
            throw FetchFailure(
                .redirectToUnfetchable(host: origin.description, error.reason))
        }
        guard target.credentials == nil else {
            throw FetchFailure(
                .redirectWithUser(host: origin.description, target: target.origin.description))
        }
        return target
    }

    /// libcurl converts internationalised names to ASCII (UTS #46).
    private static func host(_ parts: CurlURL) throws(FetchFailure) -> (String, HostAddress?) {
        guard var host = parts.host?.lowercased().streamSafe, !host.isEmpty else {
            throw FetchFailure(parts[CURLUPART_HOST] == nil ? .noHost : .invalidName)
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard let address = HostAddress(numeric: String(host.dropFirst().dropLast())),
                address.isIPv6, parts[CURLUPART_ZONEID] == nil
            else { throw FetchFailure(.invalidAddress) }
            return (address.description, address)
        }
        if host.hasSuffix(".") { host.removeLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // RFC 1035, 2.3.4. VIOLATIONS.md, H18: underscores.
        let isName =
            host.utf8.count <= 253
            && labels.allSatisfy { 1...63 ~= $0.utf8.count }
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        guard isName else { throw FetchFailure(.invalidName) }
        guard let address = HostAddress(numeric: host) else { return (host, nil) }
        return (address.description, address)
    }

    private static func credentials(_ parts: CurlURL) -> String? {
        let user = parts.decoded(CURLUPART_USER)
        let password = parts.decoded(CURLUPART_PASSWORD)
        guard user != nil || password != nil else { return nil }
        let pair = "\(user ?? ""):\(password ?? "")"
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }
}
