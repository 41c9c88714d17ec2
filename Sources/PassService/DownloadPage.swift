internal import Cryptography
internal import Foundation
internal import HTTPTypes
internal import PassModel

/// A web page for downloading a pass.
///
/// ```swift
/// let page = DownloadPage(
///     html: "<!doctype html><title>Ticket</title><a href=\"\(link)\">Add</a>", style: "")
/// ```
public struct DownloadPage: Sendable, Hashable {
    /// The page, in HTML. Text from passes must be escaped. Scripts and other files are not loaded.
    public let html: String
    /// The exact contents of the page's style element; other styles are not applied. Empty if there
    /// is none.
    public let style: String

    /// The subject of a page.
    ///
    /// ```swift
    /// let page: DownloadPage.Maker = { subject in
    ///     guard case .pass(let pass, _, let link) = subject else { return nil }
    ///     return DownloadPage(html: "<a href=\"\(link)\">\(pass.size ?? 0) bytes</a>", style: "")
    /// }
    /// ```
    public enum Subject: Sendable {
        /// The published version, its file, and the link to the file, relative to the page.
        case pass(PublishedPass, file: [UInt8], link: String)
        /// There is no pass at this address (404).
        case notFound
        /// The pass cannot be downloaded at present (503).
        case unavailable
    }

    /// Makes the page for a subject. Return nil for no page: the pass then has no page, and an
    /// error has an empty body.
    public typealias Maker = @Sendable (_ subject: Subject) -> DownloadPage?

    /// Creates a page.
    ///
    /// For example: `let page = DownloadPage(html: "<!doctype html><title>E4</title>", style: "")`
    public init(html: String, style: String) {
        self.html = html
        self.style = style
    }
}

extension DownloadPage {
    /// The header fields of the response. They allow only the page's own style, and keep the page's
    /// secret address from other servers.
    var headers: HTTPFields {
        let digest = Data(Digest.sha256Bytes(Array(style.utf8))).base64EncodedString()
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentSecurityPolicy: "default-src 'none'; style-src 'sha256-\(digest)'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
            .cacheControl: "private, no-cache",
        ]
        if let referrer = HTTPField.Name("Referrer-Policy") { headers[referrer] = "no-referrer" }
        if let robots = HTTPField.Name("X-Robots-Tag") { headers[robots] = "noindex" }
        return headers
    }
}

/// The Content-Disposition field for a file name (RFC 6266, 4.1), with an ASCII name for old
/// clients.
func contentDisposition(_ name: String) -> String {
    // No path separators (RFC 6266, 4.3); UTF-8 is percent-encoded (RFC 8187, 3.2.1).
    let name = String(name.map { $0 == "/" || $0 == "\\" ? "-" : $0 })
    let plain = name.unicodeScalars.map { scalar -> Character in
        // A quoted string (RFC 9110, 5.6.4), without characters that clients unescape.
        let isPlain = (0x20..<0x7F).contains(scalar.value)
        return isPlain && !"\"\\%".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    let encoded = PathSegment.encoded(name)
    return "attachment; filename=\"\(String(plain))\"; filename*=UTF-8''\(encoded)"
}
