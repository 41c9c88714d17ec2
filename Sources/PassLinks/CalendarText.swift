import Bytes
import MIME

/// Divides iCalendar and vCard into properties, and decodes those in quoted-printable, which
/// vCalendar 1.0 and vCard 2.1 allow:
///
///     DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Add to Apple Wallet:=0D=0A=
///     https://x.example/w/1
struct CalendarText {
    /// The beginning of a property, without folds.
    private var property: [UInt8] = []
    /// The beginning of the last line of `property`.
    private var line = 0

    /// A longer property is passed on in pieces, as it is.
    private static let longest = 64 << 10
    /// The bytes in which the name and the parameters of a property end. They are read for each of
    /// its lines.
    private static let longestHead = 256

    /// Calls `take` for each property, and for each piece of a long one; `isEnd` says whether the
    /// property ends.
    mutating func feed(_ text: [UInt8], _ take: (_ text: [UInt8], _ isEnd: Bool) -> Void) {
        for byte in text {
            property.append(byte)
            if byte == UInt8(ascii: "\n") {
                if endsProperty { end(take) }
                line = property.count
            } else if property.count >= CalendarText.longest {
                take(property, false)
                property.removeAll(keepingCapacity: true)
                line = 0
            }
        }
    }

    /// Ends the text.
    mutating func finish(_ take: (_ text: [UInt8], _ isEnd: Bool) -> Void) {
        if !property.isEmpty { end(take) }
    }

    /// Whether the property ends with the current line: no soft line break ends it.
    private var endsProperty: Bool {
        let text = property.span.withoutLineEnding(line..<property.count)
        return text.last.map { property[$0] } != UInt8(ascii: "=") || !isQuotedPrintable
    }

    private var isQuotedPrintable: Bool {
        let head = property.prefix(CalendarText.longestHead).prefix { $0 != UInt8(ascii: ":") }
        guard head.count < min(property.count, CalendarText.longestHead),
            head.contains(UInt8(ascii: ";"))
        else { return false }
        let span = property.span
        return head.indices.contains {
            span.hasPrefix(caseInsensitive: "quoted-printable", at: $0)
        }
    }

    private mutating func end(_ take: (_ text: [UInt8], _ isEnd: Bool) -> Void) {
        if property.contains(UInt8(ascii: "=")), isQuotedPrintable {
            var decoded: [UInt8] = []
            var position = 0
            while position < property.count {
                let end = property.span.endOfLine(from: position, limit: property.count)
                QuotedPrintable.decodeLine(property.span, position..<end, into: &decoded)
                position = end
            }
            take(decoded, true)
        } else {
            take(property, true)
        }
        property.removeAll(keepingCapacity: true)
        line = 0
    }
}
