import Bytes

extension WebURL {
    /// Resolves a reference in a page at this URL (RFC 3986, 5.2), leniently; nil if the result is
    /// not an http or https URL.
    package func resolve(_ reference: [UInt8]) -> WebURL? {
        let text = WebURL.cleaned(reference[...]).prefix { $0 != UInt8(ascii: "#") }
        if let scheme = URLScheme(of: Array(text)) {
            return scheme.isOfWeb ? WebURL(Array(text)) : nil
        }
        let beginsAtRoot = text.first.map(WebURL.isSlash) ?? false
        var url: [UInt8]
        if beginsAtRoot, let second = text.dropFirst().first, WebURL.isSlash(second) {
            url = Array((isSecure ? "https:" : "http:").utf8)
        } else {
            url = Array(origin.utf8)
            if text.isEmpty {
                url += Array(path.utf8) + (query.map { Array("?\($0)".utf8) } ?? [])
            } else if text.first == UInt8(ascii: "?") {
                url += Array(path.utf8)
            } else if !beginsAtRoot {
                let name = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex
                url += Array(path.utf8[...name])
            }
        }
        return WebURL(url + text)
    }
}

/// The scheme of an absolute URL (RFC 3986, 3.1).
package struct URLScheme: Sendable, Hashable {
    /// In lower case.
    package let name: String

    /// Nil if the text does not begin with a scheme.
    package init?(of text: [UInt8]) {
        guard text.first?.isASCIILetter == true else { return nil }
        let end = text.firstIndex { byte in
            !byte.isASCIILetter && !byte.isASCIIDigit && !"+-.".utf8.contains(byte)
        }
        guard let end, text[end] == UInt8(ascii: ":") else { return nil }
        name = String(streamSafe: text[..<end].map(\.asciiLowercased))
    }

    package var isOfWeb: Bool { name == "https" || name == "http" }
}
