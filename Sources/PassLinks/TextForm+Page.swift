import Bytes
package import MIME

extension TextForm {
    /// The form of a web page. A byte order mark takes precedence over Content-Type, which takes
    /// precedence over the page's own declaration (HTML, 13.2.3.2).
    package init(ofPage contentType: String?, beginning: [UInt8]) {
        self.init(ofPage: contentType)
        if let mark = ByteOrderMark(beginning) {
            charset = mark.isUTF16 ? "utf-16" : "utf-8"
        } else if charset.isEmpty {
            charset = TextForm.charsetNamed(in: Array(beginning.prefix(1024)))
        }
    }

    /// Whether the charset encodes ASCII as ASCII, as the scanner of the page assumed: excludes
    /// UTF-7 and EBCDIC.
    private static func holds(_ charset: String) -> Bool {
        let text = #"<a href="/x?a=1+b-2&c">"#
        return Charset.decode(Array(text.utf8), charset) == text
    }

    /// The charset of the first `<meta charset>`, or of the first `<meta
    /// http-equiv="Content-Type">` that names one; empty if there is none.
    private static func charsetNamed(in beginning: [UInt8]) -> String {
        var scanner = HTMLScanner(LinkLimits())
        var place = 0
        while let tag = scanner.next(beginning.span, from: &place) {
            guard tag.name == "meta", !tag.isEnd else { continue }
            var name = tag["charset"].map { String(streamSafe: $0) } ?? ""
            if name.isEmpty, let kind = tag["http-equiv"], let content = tag["content"],
                kind.map(\.asciiLowercased).elementsEqual("content-type".utf8)
            {
                name = TextForm(ofPage: String(streamSafe: content)).charset
            }
            name = name.filter { !$0.isWhitespace }.streamSafe
            if !name.isEmpty { return holds(name) ? name : "" }
        }
        return ""
    }
}
