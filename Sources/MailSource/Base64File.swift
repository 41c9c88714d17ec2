import Bytes

/// A text that is the base64 of a message, or of a file that may hold passes: lines of digits of
/// any length, in either alphabet of RFC 4648 and any Unicode encoding, perhaps after a byte order
/// mark, blank lines, `-----BEGIN PASS-----` with header fields, or `data:TYPE;base64,`. Mailers
/// encode such files again (VIOLATIONS.md, M43).
package enum Base64File {
    /// The offset of the first digit; nil if the text is anything else. The digits decide by what
    /// they decode to.
    package static func start(in text: Span<UInt8>) -> Int? {
        let text = text.extracting(first: examined)
        guard isWide(text) else { return startOfDigits(in: text) }
        // The decoder ignores the zeros.
        var narrow: [UInt8] = []
        var places: [Int] = []
        for index in UTF16Text.markLength(in: text)..<text.count where text[index] != 0 {
            narrow.append(text[index])
            places.append(index)
        }
        return startOfDigits(in: narrow.span).map { places[$0] }
    }

    private static func startOfDigits(in text: Span<UInt8>) -> Int? {
        let mark = ByteOrderMark.utf8.length(in: text)
        var start = text.trimmed(mark..<text.count).lowerBound
        if isArmor(text, at: start) {
            start = endOfArmor(text, from: start)
        } else if isDataURL(text, at: start) {
            let head = start..<min(start + longestType, text.count)
            guard let comma = text.firstIndex(of: UInt8(ascii: ","), in: head),
                text.hasPrefix(caseInsensitive: ";base64", at: comma - 7)
            else { return nil }
            start = text.trimmed(comma + 1..<text.count).lowerBound
        }
        // Most texts show in their first bytes that they are something else.
        guard start + 8 <= text.count, (start..<start + 8).allSatisfy({ isPart(text[$0]) }) else {
            return nil
        }
        guard endOfDigits(text, from: start) - start >= shortest else { return nil }
        var decoded = decodedDigits(text, from: start)
        for _ in 1..<nesting where !ContentKind(decoded.span).mayHoldPasses {
            let start = decoded.span.trimmed(decoded.indices).lowerBound
            decoded = decodedDigits(decoded.span, from: start)
        }
        return ContentKind(decoded.span).mayHoldPasses ? start : nil
    }

    /// The bytes that lines of digits decode to.
    private static func decodedDigits(_ text: Span<UInt8>, from start: Int) -> [UInt8] {
        decoded(text, start..<endOfDigits(text, from: start))
    }

    private static func decoded(_ text: Span<UInt8>, _ digits: Range<Int>) -> [UInt8] {
        let digits = digits.map { Base64.digit(ofURL: text[$0]) }
        return Base64.decode(digits.span, digits.indices)
    }

    /// Whether the digits from `start` on are those for URLs and file names (RFC 4648, 5).
    package static func isForURLs(_ text: Span<UInt8>, from start: Int) -> Bool {
        let text = text.extracting(first: start + examined)
        let other = (start..<endOfDigits(text, from: start)).first {
            [0x2B, 0x2D, 0x2F, 0x5F].contains(text[$0])
        }
        return other.map { text[$0] == 0x2D || text[$0] == 0x5F } ?? false
    }

    /// Whether a text with these first bytes may be one that ``start(in:)`` recognises. Some dozens
    /// of bytes suffice, and one rules out most files.
    package static func mayBegin(with head: [UInt8]) -> Bool {
        var text = head
        if isWide(head.span) {
            text = head.dropFirst(UTF16Text.markLength(in: head.span)).filter { $0 != 0 }
        }
        for _ in 1..<nesting {
            let mark = ByteOrderMark.utf8.length(in: text.span)
            let start = text.span.trimmed(mark..<text.count).lowerBound
            if isAnnounced(text.span, at: start) { return true }
            guard let decoded = decodedHead(text.span, from: start) else { return false }
            if FileSignature(decoded.span) != nil || TextSignature(decoded.span) == .json {
                return true
            }
            text = decoded
        }
        return false
    }

    private static func isAnnounced(_ text: Span<UInt8>, at start: Int) -> Bool {
        isArmor(text, at: start) || isDataURL(text, at: start)
            || text.hasPrefix("begin-base64 ", at: start)
    }

    /// The bytes that the first digits decode to; nil if there are few.
    private static func decodedHead(_ text: Span<UInt8>, from start: Int) -> [UInt8]? {
        let digits = (start..<text.count).prefix { isPart(text[$0]) }
        return digits.count < 8 ? nil : decoded(text, digits)
    }

    /// Whether a line announces encoded bytes (RFC 7468, 2; RFC 4716, 3.2) whose format is told by
    /// them alone.
    package static func isArmor(_ text: Span<UInt8>, at line: Int) -> Bool {
        (text.hasPrefix("-----BEGIN ", at: line) || text.hasPrefix("---- BEGIN ", at: line))
            && FileSignature(text, at: line) == nil
    }

    /// Whether a `data:` URL (RFC 2397) begins here.
    package static func isDataURL(_ text: Span<UInt8>, at start: Int) -> Bool {
        text.hasPrefix(caseInsensitive: "data:", at: start)
    }

    /// The number of bytes examined: enough for the header of a message or of a tar archive.
    package static let examined = 4096
    /// The number of bytes in the shortest text that is recognised; words are shorter.
    private static let shortest = 64
    /// The number of nested encodings.
    private static let nesting = 5
    /// The number of header fields after the first line of an armor.
    package static let armorFields = 16
    /// The length of a `data:` URL before its data, in bytes.
    private static let longestType = 1024

    private static func isPart(_ byte: UInt8) -> Bool {
        Base64.isDigit(Base64.digit(ofURL: byte)) && byte != UInt8(ascii: "=") || byte.isWhiteSpace
    }

    /// Whether the first characters take more than one byte each, which are digits and zeros.
    private static func isWide(_ text: Span<UInt8>) -> Bool {
        let start = UTF16Text.markLength(in: text)
        guard text.count >= start + 8, text[start] == 0 || text[start + 1] == 0 else {
            return false
        }
        return (start..<start + 8).allSatisfy { index in
            let byte = text[index]
            return byte == 0 || isPart(byte) || byte == UInt8(ascii: ":")
        }
    }

    /// The offset after the first line of an armor, its header fields (RFC 1421, 4.4) and the blank
    /// line.
    private static func endOfArmor(_ text: Span<UInt8>, from start: Int) -> Int {
        var position = text.endOfLine(from: start, limit: text.count)
        for _ in 0..<armorFields {
            let line = position..<text.endOfLine(from: position, limit: text.count)
            guard text.firstIndex(of: UInt8(ascii: ":"), in: line) != nil else { break }
            position = line.upperBound
        }
        return text.trimmed(position..<text.count).lowerBound
    }

    /// The end of the lines that consist of digits only.
    private static func endOfDigits(_ text: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < text.count {
            let line = position..<text.endOfLine(from: position, limit: text.count)
            // Lines may end in a carriage return.
            let isPart = text.trimmed(line).allSatisfy {
                Base64.isDigit(Base64.digit(ofURL: text[$0])) || text[$0] == 0x0D
            }
            guard isPart else { break }
            position = line.upperBound
        }
        return position
    }
}
