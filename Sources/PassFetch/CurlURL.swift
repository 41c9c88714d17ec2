import Bytes
import CCurl
import Glibc

/// A URL parsed by libcurl (RFC 3986), freed with its last reference.
@safe final class CurlURL {
    private let pointer: OpaquePointer
    /// libcurl converts host names from the encoding of the locale.
    private static let encoding: Void = { unsafe setlocale(LC_CTYPE, "C.UTF-8") }()

    /// Nil if the text is not an absolute URL. Spaces and bytes beyond ASCII are percent-encoded.
    init?(_ text: String) {
        // libcurl takes any number of slashes after the scheme, as browsers do.
        _ = CurlURL.encoding
        guard let slashes = text.firstRange(of: "://"), text[slashes.upperBound...].first != "/",
            let pointer = unsafe curl_url()
        else { return nil }
        unsafe self.pointer = unsafe pointer
        guard set(text) else { return nil }
    }

    deinit { unsafe curl_url_cleanup(pointer) }

    /// Resolves a reference to this URL (RFC 3986, 5); returns whether it is valid.
    func resolve(_ reference: String) -> Bool { set(reference) }

    private func set(_ text: String) -> Bool {
        // As for a space in a path; libcurl would write `+` in a query.
        let text = text.replacing(" ", with: "%20")
        guard !text.utf8.contains(0) else { return false }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
        return unsafe curl_url_set(pointer, CURLUPART_URL, text, flags) == CURLUE_OK
    }

    /// A part; nil if the URL has none.
    subscript(_ part: CURLUPart) -> String? { text(of: part, 0) }

    /// The host in ASCII (UTS #46), an IPv6 address in brackets.
    var host: String? { text(of: CURLUPART_HOST, CURLU_PUNYCODE) }

    /// A part without percent-encoding.
    func decoded(_ part: CURLUPart) -> String? { text(of: part, CURLU_URLDECODE) }

    /// Replaces a part; nil removes it.
    func replace(_ part: CURLUPart, with text: String?) {
        unsafe curl_url_set(pointer, part, text, 0)
    }

    private func text(of part: CURLUPart, _ flags: CInt) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(pointer, part, &text, UInt32(flags)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text).streamSafe
    }
}
