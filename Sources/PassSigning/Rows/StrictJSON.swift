internal import Bytes

/// A tokenizer for JSON exactly as RFC 8259 defines it.
struct StrictJSON {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = peek, byte.isWhiteSpace { position += 1 }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    mutating func skip(_ word: StaticString) -> Bool {
        guard bytes.span.hasPrefix(word, at: position) else { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Consumes a string and returns what is between its quotes; nil, with the position at the
    /// fault, if there is none. Half a surrogate pair is a fault, since no text contains it.
    mutating func string() -> Range<Int>? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return start..<position - 1
            case UInt8(ascii: "\\"):
                guard let length = lengthOfEscape else { return nil }
                position += length
            case ..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    /// The length of the escape at the position, or of two for a surrogate pair.
    private var lengthOfEscape: Int? {
        guard position + 1 < bytes.count else { return nil }
        let byte = bytes[position + 1]
        guard byte == UInt8(ascii: "u") else { return unescaped(byte) == nil ? nil : 2 }
        guard let first = unit(at: position + 2) else { return nil }
        guard UTF16.isLeadSurrogate(first) || UTF16.isTrailSurrogate(first) else { return 6 }
        guard UTF16.isLeadSurrogate(first), bytes.span.hasPrefix("\\u", at: position + 6),
            let second = unit(at: position + 8), UTF16.isTrailSurrogate(second)
        else { return nil }
        return 12
    }

    private func unit(at start: Int) -> UInt16? {
        guard bytes.count - start >= 4 else { return nil }
        var unit: UInt16 = 0
        for place in start..<start + 4 {
            guard let digit = bytes[place].hexadecimalValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Appends the text of a string, or of a part of one that does not cut an escape.
    func decode(_ range: Range<Int>, into text: inout [UInt8]) {
        var place = range.lowerBound
        while place < range.upperBound {
            let plain = place
            while place < range.upperBound, bytes[place] != UInt8(ascii: "\\") { place += 1 }
            text += bytes[plain..<place]
            guard place + 1 < range.upperBound else { return }
            let byte = bytes[place + 1]
            place += 2
            guard byte == UInt8(ascii: "u") else {
                text.append(unescaped(byte) ?? byte)
                continue
            }
            var units = [unit(at: place) ?? 0xFFFD]
            place += 4
            if UTF16.isLeadSurrogate(units[0]) {
                units.append(unit(at: place + 2) ?? 0xFFFD)
                place += 6
            }
            _ = transcode(
                units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false
            ) { text.append($0) }
        }
    }

    /// Consumes a number (section 6); nil if there is none.
    mutating func number() -> Range<Int>? {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { guard skipDigits() else { return restart(start) } }
        if skip(UInt8(ascii: ".")) { guard skipDigits() else { return restart(start) } }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            guard skipDigits() else { return restart(start) }
        }
        return start..<position
    }

    private mutating func restart(_ start: Int) -> Range<Int>? {
        position = start
        return nil
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = peek, byte.isASCIIDigit { position += 1 }
        return position > start
    }

    /// Whether the text is one number and nothing else.
    static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var json = StrictJSON(Array(text))
        return json.number() != nil && json.position == text.count
    }
}

private func unescaped(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
}
