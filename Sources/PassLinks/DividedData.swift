import Bytes

/// The base64 of a `data:` URL in plain text that is divided into lines, as in an encoded body
/// (VIOLATIONS.md, H27). The end of such a URL is ambiguous: a line continues it only after a full
/// line, and if it is full itself or the last one.
struct DividedData {
    /// The bytes up to the comma.
    private var head: [UInt8] = []
    /// Whether base64 follows the comma; nil before it.
    private var isBase64: Bool?
    private var last: UInt8 = 0
    /// The number of digits so far.
    private var digits = 0
    /// The length of the current line in bytes, and that of the longest one before it, except for
    /// the first.
    private var length = 0
    private var width = 0
    private var isInFirstLine = true

    enum Next {
        /// The next line begins at an offset.
        case line(Int)
        case none
        /// More bytes are needed.
        case unfinished
    }

    /// The length of the shortest full line, in bytes: encoders write 60 to 76.
    private static let full = 40
    /// The length of the longest media type that is read, in bytes.
    private static let longestHead = 256
    /// The maximum amount of white space between two lines, in bytes.
    private static let longestSpace = 256

    /// Takes the next byte of the URL.
    mutating func take(_ byte: UInt8) {
        last = byte
        length += 1
        if isBase64 != nil {
            digits += 1
        } else if byte == UInt8(ascii: ",") || head.count == DividedData.longestHead {
            isBase64 = head.span.hasPrefix(caseInsensitive: ";base64", at: head.count - 7)
        } else {
            head.append(byte)
        }
    }

    /// Finds the next line of the URL after white space at `place`.
    mutating func next(
        after place: Int, _ source: Span<UInt8>, _ enclosure: LinkEnclosure, isAtEnd: Bool
    ) -> Next {
        let isFull = length >= max(DividedData.full, width) && last != UInt8(ascii: "=")
        guard isBase64 == true, isFull || digits == 0 else { return .none }
        var start = place
        var lineEnds = 0
        while start < source.count, source[start].isWhiteSpace {
            let isLineEnd =
                source[start] == 0x0A
                || source[start] == 0x0D && (start + 1 >= source.count || source[start + 1] != 0x0A)
            lineEnds += isLineEnd ? 1 : 0
            start += 1
            guard lineEnds < 2, start - place < DividedData.longestSpace else { return .none }
        }
        guard start < source.count else { return isAtEnd ? .none : .unfinished }
        guard lineEnds == 1 else { return .none }
        let line = start..<min(source.count, start + DividedData.full)
        let end = line.first { !DividedData.isDigit(source[$0]) } ?? line.upperBound
        if end - start < DividedData.full {
            let ends = end < source.count ? enclosure.ends(at: end, source, isAtEnd: isAtEnd) : nil
            guard ends != nil || isAtEnd else { return .unfinished }
            // A short line after one line may be the text that follows, and one of letters only a
            // word.
            let line = start..<end
            let isPadded = end > start && source[end - 1] == UInt8(ascii: "=")
            let isWord = line.allSatisfy { source[$0].isASCIILetter }
            let isRule = line.allSatisfy { "-_".utf8.contains(source[$0]) }
            guard ends != false, !isRule, !isInFirstLine || isPadded,
                !isWord || (digits + line.count).isMultiple(of: 4)
            else { return .none }
        }
        if !isInFirstLine { width = max(width, length) }
        (isInFirstLine, length) = (false, 0)
        return .line(start)
    }

    /// Whether a byte is a digit in any alphabet of RFC 4648, or part of one in percent-encoding.
    private static func isDigit(_ byte: UInt8) -> Bool {
        Base64.isDigit(Base64.digit(ofURL: byte)) || byte == UInt8(ascii: "%")
    }
}
