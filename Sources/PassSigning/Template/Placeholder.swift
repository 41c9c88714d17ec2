internal import Bytes

/// A place in a text that a column fills, such as `{{seat}}`, `{{seat?}}` or `{{balance:number}}`.
struct Placeholder: Sendable, Hashable {
    enum Kind: Sendable {
        case text, number, boolean
    }

    let column: String
    let kind: Kind
    /// A question mark at the end allows the value to be missing.
    let isOptional: Bool

    /// - Parameter text: What is between the braces.
    init(_ text: [UInt8]) throws(PlaceholderError) {
        var range = text.span.trimmed(0..<text.count)
        isOptional = !range.isEmpty && text[range.upperBound - 1] == UInt8(ascii: "?")
        if isOptional { range = text.span.trimmed(range.lowerBound..<range.upperBound - 1) }
        if let colon = text[range].lastIndex(of: UInt8(ascii: ":")) {
            let word = String(streamSafe: text[colon + 1..<range.upperBound])
            switch word {
            case "number": kind = .number
            case "boolean": kind = .boolean
            default: throw PlaceholderError(.unknownKind(word))
            }
            range = text.span.trimmed(range.lowerBound..<colon)
        } else {
            kind = .text
        }
        let name = text[range]
        guard !name.isEmpty, !name.contains(UInt8(ascii: "{")), !name.contains(UInt8(ascii: "}"))
        else { throw PlaceholderError(.noName) }
        column = String(streamSafe: name)
    }

    /// Where placeholders begin in a text and end, without their braces.
    static func ranges(
        in text: Span<UInt8>, _ range: Range<Int>
    ) throws(PlaceholderError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var place = range.lowerBound
        while let start = pair(UInt8(ascii: "{"), in: text, place..<range.upperBound) {
            guard let end = pair(UInt8(ascii: "}"), in: text, start + 2..<range.upperBound) else {
                throw PlaceholderError(.notClosed)
            }
            ranges.append(start + 2..<end)
            place = end + 2
        }
        return ranges
    }

    /// Whether a placeholder may be in the text.
    static func isIn(_ text: [UInt8]) -> Bool {
        pair(UInt8(ascii: "{"), in: text.span, 0..<text.count) != nil
    }

    private static func pair(_ byte: UInt8, in text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var place = range.lowerBound
        while place < range.upperBound,
            let found = text.firstIndex(of: byte, in: place..<range.upperBound)
        {
            if found + 1 < range.upperBound, text[found + 1] == byte { return found }
            place = found + 1
        }
        return nil
    }
}

/// A fault whose place is not known yet.
struct PlaceholderError: Error {
    let fault: PlaceholderFault

    init(_ fault: PlaceholderFault) {
        self.fault = fault
    }
}
