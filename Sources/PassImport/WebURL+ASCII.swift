internal import Foundation
// What knows the names of DNS lies there, and is linked statically only for who asks for it.
internal import FoundationInternationalization
package import PassDetection

extension WebURL {
    /// The URL with its host as DNS knows it, `xn--mnchen-3ya.example` for `münchen.example` (RFC 5891);
    /// nil where there can be no such host.
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
