import Bytes

/// The value of Content-Type or Content-Disposition as RFC 2045, 5.1 and RFC 2183, 2 want it, which most
/// are: one word, then parameters that are tokens or quoted-strings without anything to unescape. It
/// has one reading, and is read without a copy; all others are left to `HeaderValue`.
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

    /// Nil where the value has another form, more parameters than are held, or words in it that have
    /// to be decoded.
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

    /// Takes `name=value` and returns where it ends.
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
                // An encoded word, wherever it stands, is another reading.
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

    /// Letters, digits and the marks that begin nothing: no `=`, `%`, `?`, `*`, quote or parenthesis.
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
    /// Whether a range is a word, which is in lower case, in any case.
    func isWord(_ word: StaticString, _ range: Range<Int>) -> Bool {
        range.count == word.utf8CodeUnitCount
            && hasPrefix(caseInsensitive: word, at: range.lowerBound)
    }

    /// Characters of ASCII as text, in lower case if wanted.
    func text(_ range: Range<Int>, isLowercased: Bool = false) -> String {
        unsafe String(unsafeUninitializedCapacity: range.count) { buffer in
            for (place, index) in range.enumerated() {
                unsafe buffer[place] = isLowercased ? self[index].asciiLowercased : self[index]
            }
            return range.count
        }
    }
}
