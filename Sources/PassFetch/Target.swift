import Bytes
internal import Fetching
internal import Foundation

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
        guard let url = URL(string: text),
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased()
        else { throw FetchFailure(.notURL) }
        guard scheme == "https" || scheme == "http" else {
            throw FetchFailure(.unknownScheme(String(scheme.prefix(20))))
        }
        let (host, address) = try Target.host(parts)
        guard 1...65535 ~= parts.port ?? 443 else {
            throw FetchFailure(.invalidPort(parts.port ?? 0))
        }
        let isSecure = scheme == "https"
        let usual = isSecure ? 443 : 80
        origin = Origin(isSecure: isSecure, host: host, port: parts.port ?? usual)
        self.address = address
        guard isSecure || allowsHTTP else {
            throw FetchFailure(.insecure(host: origin.description))
        }
        credentials = Target.credentials(parts)
        var canonical = URLComponents()
        canonical.scheme = scheme
        canonical.encodedHost = host.contains(":") ? "[\(host)]" : host
        canonical.port = origin.port == usual ? nil : origin.port
        canonical.percentEncodedPath =
            parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        canonical.percentEncodedQuery = parts.percentEncodedQuery
        guard let text = canonical.string else { throw FetchFailure(.notURL) }
        self.url = text
    }

    /// The target of a redirect (RFC 9110, 10.2.2).
    func redirected(to location: String, allowsHTTP: Bool) throws(FetchFailure) -> Target {
        guard let base = URL(string: url),
            let next = URL(string: location, relativeTo: base)?.absoluteURL
        else { throw FetchFailure(.redirectToNoURL(host: origin.description)) }
        let target: Target
        do throws(FetchFailure) {
            target = try Target(next.absoluteString, allowsHTTP: allowsHTTP)
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

    /// Internationalised names are converted to ASCII by Foundation (UTS #46, nontransitional).
    private static func host(
        _ parts: URLComponents
    ) throws(FetchFailure) -> (String, HostAddress?) {
        guard var host = parts.encodedHost?.removingPercentEncoding?.lowercased().streamSafe,
            !host.isEmpty
        else { throw FetchFailure(.noHost) }
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard let address = HostAddress(numeric: String(host.dropFirst().dropLast())),
                address.isIPv6, !host.contains("%")
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

    private static func credentials(_ parts: URLComponents) -> String? {
        guard parts.user != nil || parts.password != nil else { return nil }
        let pair = "\(parts.user ?? ""):\(parts.password ?? "")"
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }
}
