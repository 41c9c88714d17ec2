/// A text format whose values may contain files, recognised by its first bytes.
package enum TextSignature: Sendable, Hashable {
    /// An object, a list of objects or strings, or a string that is a file in base64 (RFC 8259).
    case json
    /// iCalendar (RFC 5545) or vCard (RFC 6350).
    case calendar
    /// An HTTP response with its header (RFC 9112, 4).
    case httpResponse
    /// A property list in XML, as which some programs save a web archive.
    case propertyList

    /// Skips white space and a byte order mark.
    package init?(_ bytes: Span<UInt8>) {
        let mark = ByteOrderMark.utf8.length(in: bytes)
        let start = bytes.trimmed(mark..<bytes.count).lowerBound
        guard start < bytes.count else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "{"):
            guard TextSignature.value(bytes, after: start) == UInt8(ascii: "\"") else { return nil }
            self = .json
        case UInt8(ascii: "["):
            let first = bytes.trimmed(start + 1..<bytes.count).lowerBound
            guard first < bytes.count else { return nil }
            if bytes[first] == UInt8(ascii: "{") {
                // `[{000214A0-...}]` begins a section of a shortcut.
                let next = TextSignature.value(bytes, after: first)
                guard next == nil || next == UInt8(ascii: "\"") || next == UInt8(ascii: "}") else {
                    return nil
                }
            } else if bytes[first] != UInt8(ascii: "\"") {
                return nil
            }
            self = .json
        case UInt8(ascii: "\""):
            guard TextSignature.isFileInBase64(bytes, after: start) else { return nil }
            self = .json
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            guard
                bytes.hasPrefix(caseInsensitive: "begin:vcalendar", at: start)
                    || bytes.hasPrefix(caseInsensitive: "begin:vcard", at: start)
            else { return nil }
            self = .calendar
        case UInt8(ascii: "H"):
            guard TextSignature.statusLine(bytes, at: start) != nil else { return nil }
            self = .httpResponse
        case UInt8(ascii: "<"):
            guard TextSignature.isPropertyList(bytes, at: start) else { return nil }
            self = .propertyList
        default:
            return nil
        }
    }

    /// Whether the root element is a property list, after the declarations of XML.
    private static func isPropertyList(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard
            bytes.hasPrefix("<?xml", at: start) || bytes.hasPrefix("<!DOCTYPE plist", at: start)
                || bytes.hasPrefix("<plist", at: start)
        else { return false }
        var position = start
        let end = min(bytes.count, start + 1024)
        while let place = bytes.firstIndex(of: UInt8(ascii: "<"), in: position..<end) {
            if bytes.hasPrefix("<plist", at: place) { return true }
            position = place + 1
        }
        return false
    }

    /// Whether a JSON text begins on a line after the first, in a list with one per line.
    package static func beginsJSONLater(_ bytes: Span<UInt8>) -> Bool {
        var position = 0
        while let end = bytes.firstIndex(of: 0x0A, in: position..<bytes.count) {
            position = end + 1
            if bytes.hasPrefix("{\"", at: position) { return true }
        }
        return false
    }

    /// The first byte after an opening bracket, except white space.
    private static func value(_ bytes: Span<UInt8>, after bracket: Int) -> UInt8? {
        let start = bytes.trimmed(bracket + 1..<bytes.count).lowerBound
        return start < bytes.count ? bytes[start] : nil
    }

    /// Whether the base64 of a file begins after a quotation mark, perhaps in a `data:` URL.
    private static func isFileInBase64(_ bytes: Span<UInt8>, after quote: Int) -> Bool {
        var start = quote + 1
        if bytes.hasPrefix(caseInsensitive: "data:", at: start) {
            let type = start..<min(start + 256, bytes.count)
            guard let comma = bytes.firstIndex(of: UInt8(ascii: ","), in: type) else {
                return false
            }
            start = comma + 1
        }
        let digits = (start..<bytes.count).prefix(FileSignature.length * 4 / 3)
            .prefix { bytes[$0] != UInt8(ascii: "\"") }.map { Base64.digit(ofURL: bytes[$0]) }
        // A slash may be escaped.
        guard digits.allSatisfy({ Base64.isDigit($0) || $0 == UInt8(ascii: "\\") }) else {
            return false
        }
        return FileSignature(Base64.decode(digits.span, digits.indices).span) != nil
    }

    /// The status line at `start`, with its line end: `HTTP/1.1 200 OK`. Programs also write
    /// `HTTP/2 200`.
    package static func statusLine(_ bytes: Span<UInt8>, at start: Int) -> Range<Int>? {
        guard bytes.hasPrefix("HTTP/", at: start) else { return nil }
        let line = start..<bytes.endOfLine(from: start, limit: min(bytes.count, start + 1024))
        guard let space = bytes.firstIndex(of: 0x20, in: line), space > start + 5,
            space + 3 < line.upperBound,
            (start + 5..<space).allSatisfy({ bytes[$0].isASCIIDigit || bytes[$0] == 0x2E }),
            (space + 1...space + 3).allSatisfy({ bytes[$0].isASCIIDigit })
        else { return nil }
        return line
    }
}
