internal import Foundation
// Contains the tables for internationalised host names; linked statically only on import.
internal import FoundationInternationalization
package import PassLinks

extension WebURL {
    /// The URL with its host in ASCII form, such as `xn--mnchen-3ya.example` for `münchen.example`
    /// (RFC 5891); nil if the host is invalid.
    package var inASCII: WebURL? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return self }
        guard let known = URL(string: "https://\(host)/"),
            let url = WebURL(known.absoluteString), url.host.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        var copy = self
        copy.host = url.host
        return copy
    }
}
