internal import Bytes

/// A tokenizer for JSON.
struct JSONScanner {
    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var oddities: Oddities
    /// Whether the last key or scalar is a string in which U+FFFD replaces invalid UTF-8 or half of
    /// a surrogate pair.
    private(set) var isDamaged = false
    /// The replacements in the text that the scanner has not passed.
    private var replacements: ArraySlice<Int>

    init(_ text: UnicodeText, oddities: Oddities) {
        bytes = text.utf8
        replacements = text.replacements[...]
        self.oddities = oddities
    }

    /// Records only the first irregularity of each kind, since finding the line number requires a
    /// scan of the text.
    mutating func note(_ oddity: JSONOddity, at offset: Int) {
        guard oddities.lacks(code: oddity.rawValue) else { return }
        let line = place(of: offset).line
        oddities.note(.json(oddity, line: line))
    }

    func error(_ fault: JSONFault) -> PassError {
        let (line, column) = place(of: position)
        return .notJSON(position < bytes.count ? fault : .endsTooSoon, line: line, column: column)
    }

    /// Consumes the byte if it is next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() throws(PassError) {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                position += 1
            case UInt8(ascii: "/"):
                try skipComment()
            default:
                return
            }
        }
    }

    mutating func expectEnd() throws(PassError) {
        try skipSpace()
        guard position == bytes.count else { throw error(.textBehindEnd) }
    }

    mutating func key() throws(PassError) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw error(.missingKey) }
        return try string()
    }

    /// A string, a number, `true`, `false` or `null`.
    mutating func scalar() throws(PassError) -> JSONValue {
        isDamaged = false
        switch peek() {
        case UInt8(ascii: "\""): return .string(try string())
        case .some(let byte) where byte == UInt8(ascii: "-") || isDigit(byte): return try number()
        default:
            for (name, value) in [
                ("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null),
            ]
            where bytes[position...].starts(with: name.utf8) {
                position += name.utf8.count
                return value
            }
            throw error(.missingValue)
        }
    }

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func place(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return (line, before[lineStart...].count { !isContinuation($0) } + 1)
    }

    // VIOLATIONS.md, P3: comments.
    private mutating func skipComment() throws(PassError) {
        let start = position
        position += 1
        if skip(UInt8(ascii: "/")) {
            position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        } else if skip(UInt8(ascii: "*")) {
            repeat {
                guard let star = bytes[position...].firstIndex(of: UInt8(ascii: "*")) else {
                    position = bytes.count
                    throw error(.unterminatedComment)
                }
                position = star + 1
            } while !skip(UInt8(ascii: "/"))
        } else {
            position = start
            throw error(.missingValue)
        }
        note(.comment, at: start)
    }
}

extension JSONScanner {
    private mutating func string() throws(PassError) -> String {
        let start = position
        var text = UnescapedText()
        position += 1
        while true {
            let plain = position
            position = bytes[plain...].firstIndex(where: endsPlainText) ?? bytes.count
            text.append(bytes[plain..<position])
            switch peek() {
            case nil:
                throw error(.unterminatedString)
            case UInt8(ascii: "\""):
                position += 1
                return finish(&text, from: start)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text)
            case .some(let control):
                // VIOLATIONS.md, P5: a control character.
                note(.controlCharacter, at: position)
                text.append(control)
                position += 1
            }
        }
    }

    private mutating func finish(_ text: inout UnescapedText, from start: Int) -> String {
        let (string, isValid) = text.finish()
        let hadLoneSurrogate = hasReplacement(from: start) || text.hadLoneSurrogate
        // VIOLATIONS.md, P8: not UTF-8. P9: half of a surrogate pair.
        if !isValid { note(.invalidUTF8, at: start) }
        if text.hadLongRun { note(.longCombiningRun, at: start) }
        if hadLoneSurrogate { note(.loneSurrogate, at: start) }
        isDamaged = hadLoneSurrogate || !isValid
        return string
    }

    private mutating func hasReplacement(from start: Int) -> Bool {
        var last: Int?
        while let offset = replacements.first, offset < position {
            last = replacements.removeFirst()
        }
        return last.map { $0 >= start } ?? false
    }

    private mutating func escape(into text: inout UnescapedText) throws(PassError) {
        guard let byte = peek() else { throw error(.unterminatedString) }
        let meaning: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): meaning = byte
        case UInt8(ascii: "b"): meaning = 0x08
        case UInt8(ascii: "f"): meaning = 0x0C
        case UInt8(ascii: "n"): meaning = 0x0A
        case UInt8(ascii: "r"): meaning = 0x0D
        case UInt8(ascii: "t"): meaning = 0x09
        case UInt8(ascii: "u"):
            position += 1
            return text.append(unit: try hexadecimalUnit())
        default: throw error(.unknownEscape)
        }
        position += 1
        text.append(meaning)
    }

    private mutating func hexadecimalUnit() throws(PassError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let value = hexadecimalValue(byte) else {
                throw error(.shortEscape)
            }
            unit = unit << 4 | UInt16(value)
            position += 1
        }
        return unit
    }

    private mutating func number() throws(PassError) -> JSONValue {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(streamSafe: bytes[start..<position])
        if isInteger, let integer = Int(text) { return .integer(integer) }
        if !isInteger, text.utf8.count <= 400, let number = Double(text), number.isFinite {
            return .number(number)
        }
        // VIOLATIONS.md, P4: a number out of range.
        note(.numberTooLarge, at: start)
        return .string(text)
    }

    private mutating func digits() throws(PassError) {
        let start = position
        position = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        guard position > start else { throw error(.missingDigits) }
    }
}

private func endsPlainText(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
}

private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

private func isContinuation(_ byte: UInt8) -> Bool {
    byte & 0xC0 == 0x80
}
