import Bytes
import Fetching
import Foundation
package import PassModel
package import PassStore

extension WebService {
    /// The web service of a pass; nil if it has none, or an unusable one.
    ///
    /// The endpoint is `GET webServiceURL/v1/passes/passTypeIdentifier/serialNumber` (PassKit Web
    /// Service Reference, "Getting the Latest Version of a Pass"; Wallet Passes, "Send an Updated
    /// Pass"). `webServiceURL` may contain a path before `/v1` and a query, which stays at the end.
    /// VIOLATIONS.md, P30: it may end with slashes. P29: a short token.
    package init?(_ pass: Pass) {
        guard let token = pass.authenticationToken, WebService.canBeSent(token),
            let base = pass.webServiceURL,
            var parts = URLComponents(url: base, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), ["https", "http"].contains(scheme),
            let name = parts.host?.lowercased().streamSafe, !name.isEmpty
        else { return nil }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        parts.percentEncodedPath = path + WebService.path(of: pass.identity)
        parts.scheme = scheme
        // The token is sent in `Authorization` instead.
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        guard let url = parts.string, FetchRequest.refusal(of: url) == nil else { return nil }
        let usual = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        self.init(url: url, token: token, host: name + port)
    }

    /// The URL without a query, which may identify the client.
    package var place: String { String(url.prefix { $0 != "?" }) }

    static func path(of pass: PassIdentity) -> String {
        ["v1", "passes", pass.passTypeIdentifier, pass.serialNumber]
            .map { "/\(encoded($0))" }.joined()
    }

    /// The `webServiceURL` of the pass, as its requests use it.
    func base(of pass: PassIdentity) -> String? {
        let path = WebService.path(of: pass)
        let place = place
        guard place.hasSuffix(path) else { return nil }
        return String(place.dropLast(path.count)) + url.dropFirst(place.count)
    }

    package var isSecure: Bool { url.hasPrefix("https:") }

    /// Whether the token consists of printable ASCII, without spaces at its ends, as an HTTP field
    /// value requires (RFC 9110, 5.5).
    private static func canBeSent(_ token: String) -> Bool {
        let bytes = token.utf8
        return !bytes.isEmpty && bytes.count <= 4096 && bytes.allSatisfy { 0x20...0x7E ~= $0 }
            && bytes.first != 0x20 && bytes.last != 0x20
    }

    /// The segment of a path, percent-encoded (RFC 3986, 3.3).
    static func encoded(_ segment: String) -> String {
        var text = ""
        for byte in segment.utf8 {
            let isPlain =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
                }
            let digits = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + digits
        }
        return text
    }
}
