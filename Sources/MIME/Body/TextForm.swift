import Bytes

/// The properties of a text that a search in it depends on.
package struct TextForm: Sendable, Hashable {
    package var isHTML = false
    /// As named by the header; empty if it names none.
    package var charset = ""
    /// Whether a space at the end of a line is deleted when lines are joined (RFC 3676, 4.1,
    /// `DelSp`).
    package var joinsLines = false
    /// Whether lines that end in a space continue in the next one (RFC 3676, 4).
    package var isFlowed = false
    /// Whether lines are folded as in iCalendar and vCard (RFC 5545, 3.1).
    package var isFolded = false

    /// Whether ASCII characters may be encoded as others, as in UTF-16 and UTF-7.
    var hidesASCII: Bool {
        let name = charset.asciiLowercased
        return ["utf-16", "utf16", "utf-32", "utf32", "utf-7", "utf7", "ucs-", "iso-10646-ucs"]
            .contains { name.hasPrefix($0) } || name == "unicode-1-1-utf-7"
    }

    /// The charset of a text in UTF-16 or UTF-32; nil if it is another one. VIOLATIONS.md, M105:
    /// whatever the header says, a byte order mark or the zeros of ASCII decide.
    static func wideCharset(of start: [UInt8]) -> String? {
        let isMarked = ByteOrderMark(start)?.isUTF16 == true
        // Zeros behind all else are no text, but a hole or the rest of a file after a crash.
        guard start.count >= 4, isMarked || start.span.firstIndex(of: 0, in: start.indices) != nil,
            let last = start.lastIndex(where: { $0 != 0 })
        else { return nil }
        guard
            isMarked || (start[0] == 0) != (start[1] == 0)
                || start[..<last].count(where: { $0 == 0 }) * 3 > last
        else { return nil }
        return isUTF32(start) ? "utf-32" : "utf-16"
    }

    /// Whether each four bytes are the number of a character, which is below 0x110000.
    static func isUTF32(_ start: [UInt8]) -> Bool {
        let quads = stride(from: 0, through: start.count - 4, by: 4)
        return start.count >= 8
            && (quads.allSatisfy { start[$0] == 0 && start[$0 + 1] <= 0x10 }
                || quads.allSatisfy { start[$0 + 3] == 0 && start[$0 + 2] <= 0x10 })
    }

    /// Whether a Content-Type may name such a charset. Most do not, and are not parsed.
    static func mayHideASCII(_ contentType: Span<UInt8>) -> Bool {
        for letter in [UInt8(ascii: "u"), UInt8(ascii: "U")] {
            var position = 0
            while let index = contentType.firstIndex(of: letter, in: position..<contentType.count) {
                if contentType.hasPrefix(caseInsensitive: "utf", at: index)
                    ? !contentType.hasPrefix(caseInsensitive: "utf-8", at: index)
                    : contentType.hasPrefix(caseInsensitive: "ucs-", at: index)
                {
                    return true
                }
                position = index + 1
            }
        }
        return false
    }

    package init(isHTML: Bool = false, charset: String = "", joinsLines: Bool = false) {
        self.isHTML = isHTML
        self.charset = charset
        self.joinsLines = joinsLines
    }

    /// The form of a file with the name of a text file; nil for all others.
    package init?(name: String) {
        guard setName(name) else { return nil }
    }

    /// The form of a web page by its name or media type; nil for all others. The name may be
    /// followed by that of a compression: `mail.html.gz`.
    package init?(page header: PartHeader) {
        for name in header.names {
            let bytes = name.utf8.span
            guard let word = bytes.fileExtension(in: bytes.indices) else { continue }
            let isCompressed = TextForm.compressions.contains {
                bytes.equals(caseInsensitive: $0, in: word)
            }
            let inner = name.utf8.prefix(isCompressed ? word.lowerBound - 1 : bytes.count)
            if setName(String(Substring(inner))), isHTML { return }
            self = TextForm()
        }
        for type in header.mediaTypes {
            if setType(type), isHTML { return }
            self = TextForm()
        }
        return nil
    }

    /// The form of a part's text; nil if the part is not readable text.
    init?(_ block: HeaderBlock, _ part: PartHeader, limits: MIMELimits) {
        self.init(part)
        for body in block.bodies(of: "content-type").prefix(limits.repeatedFields) {
            read(contentType: Array(block.bytes[body]), limits: limits)
        }
    }

    /// The form without charset; nil if the part is not readable text.
    package init?(_ part: PartHeader) {
        // The default type is plain text (RFC 2045, 5.2). Many programs attach texts without their
        // type, which the name tells.
        var isText = part.mediaTypes.isEmpty
        for type in part.mediaTypes where setType(type) { isText = true }
        for name in part.names where setName(name) { isText = true }
        guard isText else { return nil }
    }

    mutating func read(contentType: [UInt8], limits: MIMELimits) {
        let value = HeaderValue(contentType, limit: limits.parameters)
        if charset.isEmpty { charset = value.parameters.texts(of: "charset").first ?? "" }
        if let delsp = value.parameters.texts(of: "delsp").first {
            joinsLines = joinsLines || delsp.asciiLowercased == "yes"
        }
        if let format = value.parameters.texts(of: "format").first {
            isFlowed = isFlowed || format.asciiLowercased == "flowed"
        }
    }

    /// Sets the form of a text with this media type; false if it is not readable text.
    private mutating func setType(_ type: String) -> Bool {
        switch type {
        case "text/html", "text/x-amp-html", "application/xhtml+xml": isHTML = true
        case "text/calendar", "text/x-vcalendar", "text/vcard", "text/x-vcard", "text/directory",
            "application/ics":
            isFolded = true
        case "text/plain", "text/markdown", "text/x-markdown", "text/enriched", "text/richtext",
            "text/uri-list", "application/internet-shortcut", "application/x-mswinurl",
            "application/x-desktop":
            break
        default: return false
        }
        return true
    }

    /// Sets the form of a file with the name of a text; false for all others. A shortcut to a web
    /// page is XML or a binary property list (macOS), or an INI file (Windows, freedesktop.org).
    private mutating func setName(_ name: String) -> Bool {
        let bytes = name.utf8.span
        let word = bytes.fileExtension(in: bytes.indices) ?? bytes.indices
        func isAny(_ words: [StaticString]) -> Bool {
            words.contains { bytes.equals(caseInsensitive: $0, in: word) }
        }
        if isAny(TextForm.pages) {
            isHTML = true
        } else if isAny(TextForm.cards) {
            isFolded = true
        } else {
            return isAny(TextForm.texts)
        }
        return true
    }

    private static let pages: [StaticString] = ["html", "htm", "xhtml", "webloc"]
    private static let compressions: [StaticString] = ["gz", "bz2", "xz", "zst"]
    private static let cards: [StaticString] = ["ics", "ical", "ifb", "vcs", "vcf", "vcard"]
    private static let texts: [StaticString] = [
        "txt", "text", "md", "markdown", "url", "website", "desktop",
    ]
}
