import Bytes

/// A standard Content-Type or Content-Disposition (RFC 2045, 5.1; RFC 2183, 2), as most are: one
/// word, then parameters that are tokens or quoted-strings without escapes. It has a single reading
/// and is parsed without a copy; `HeaderValue` handles all others.
struct PlainValue {
    let word: Range<Int>
    private(set) var count = 0
    private var parameters = InlineArray<8, Parameter>(
        repeating: Parameter(name: 0..<0, value: 0..<0))

    struct Parameter {
        let name: Range<Int>
        let value: Range<Int>
    }

    subscript(index: Int) -> Parameter { parameters[index] }

    /// Nil if the value has another form, too many parameters, or encoded words.
    init?(_ source: Span<UInt8>, _ range: Range<Int>) {
        var index = PlainValue.skipSpace(source, range.lowerBound, range.upperBound)
        let start = index
        while index < range.upperBound, PlainValue.isOfWord(source[index]) { index += 1 }
        guard index > start else { return nil }
        word = start..<index
        while true {
            index = PlainValue.skipSpace(source, index, range.upperBound)
            guard index < range.upperBound else { return }
            guard source[index] == UInt8(ascii: ";") else { return nil }
            index = PlainValue.skipSpace(source, index + 1, range.upperBound)
            guard index < range.upperBound else { return }
            guard count < 8, let end = takeParameter(source, index, range.upperBound) else {
                return nil
            }
            index = end
        }
    }

    /// Reads `name=value` and returns its end.
    private mutating func takeParameter(
        _ source: Span<UInt8>, _ start: Int, _ limit: Int
    ) -> Int? {
        var index = start
        while index < limit, PlainValue.isOfName(source[index]) { index += 1 }
        let name = start..<index
        guard !name.isEmpty, index + 1 < limit, source[index] == UInt8(ascii: "=") else {
            return nil
        }
        index += 1
        let value: Range<Int>
        if source[index] == UInt8(ascii: "\"") {
            index += 1
            let start = index
            while index < limit, PlainValue.isOfQuotedString(source[index]) {
                // An encoded word, anywhere, adds a reading.
                if source[index] == UInt8(ascii: "?"), source[index - 1] == UInt8(ascii: "=") {
                    return nil
                }
                index += 1
            }
            guard index < limit, source[index] == UInt8(ascii: "\"") else { return nil }
            value = start..<index
            index += 1
        } else {
            let start = index
            while index < limit, PlainValue.isOfWord(source[index]) { index += 1 }
            guard index > start else { return nil }
            value = start..<index
        }
        parameters[count] = Parameter(name: name, value: value)
        count += 1
        return index
    }

    private static func skipSpace(_ source: Span<UInt8>, _ start: Int, _ limit: Int) -> Int {
        var index = start
        while index < limit, source[index].isWhiteSpace { index += 1 }
        return index
    }

    /// Letters, digits and marks without a special meaning: no `=`, `%`, `?`, `*`, quote or
    /// parenthesis.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit
            || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "_")
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
    }

    private static func isOfQuotedString(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

extension Span<UInt8> {
    /// Whether the range equals a word, ignoring case; `word` is in lower case.
    func isWord(_ word: StaticString, _ range: Range<Int>) -> Bool {
        range.count == word.utf8CodeUnitCount
            && hasPrefix(caseInsensitive: word, at: range.lowerBound)
    }

    /// ASCII characters as text, lowercased on request.
    func text(_ range: Range<Int>, isLowercased: Bool = false) -> String {
        unsafe String(unsafeUninitializedCapacity: range.count) { buffer in
            for (place, index) in range.enumerated() {
                unsafe buffer[place] = isLowercased ? self[index].asciiLowercased : self[index]
            }
            return range.count
        }
    }
}
