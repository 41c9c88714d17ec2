internal import Bytes

/// Parses a pass.strings: lines of `"key" = "value";`, in the old property list format. Xcode writes
/// them as property lists in XML or binary, for ``StringsPropertyList``.
///
/// These files are rarely checked. VIOLATIONS.md, P43: a quote ends a text only if the file can
/// continue after it. P44: what is missing is supplied.
package struct StringsFile {
    private let bytes: [UInt8]
    private var position = 0
    private var table: StringsTable

    /// The translations in the file.
    ///
    /// - Parameter entries: The number of entries that may still be read, including invalid ones.
    static func read(
        _ bytes: [UInt8], entries: inout Int, file: String, oddities: inout Oddities
    ) -> [ExactText: String] {
        var table = StringsTable(entriesLeft: entries, file: file, oddities: oddities)
        if bytes.starts(with: "bplist".utf8) {
            StringsPropertyList.read(binary: bytes, into: &table)
        } else {
            let text = utf8Bytes(ofMarkedUTF32: bytes) ?? UnicodeText(bytes).utf8
            if text.first(where: { !isSpace($0) }) == UInt8(ascii: "<") {
                StringsPropertyList.read(xml: text, into: &table)
            } else {
                var reader = StringsFile(bytes: text, table: table)
                reader.read()
                table = reader.table
            }
        }
        (entries, oddities) = (table.entriesLeft, table.oddities)
        return table.texts
    }

    /// The translations in a file, and the violations of its format.
    package static func read(
        _ bytes: [UInt8], file: String, limits: PassLimits = PassLimits()
    ) -> (table: [ExactText: String], oddities: [Oddity]) {
        guard bytes.count <= limits.stringsBytes else {
            return ([:], [.stringsTooLarge(file: file, limit: limits.stringsBytes)])
        }
        var oddities = Oddities(limit: limits.oddities)
        var entries = limits.stringsEntries
        let table = read(bytes, entries: &entries, file: file, oddities: &oddities)
        return (table, oddities.all)
    }

    private init(bytes: [UInt8], table: StringsTable) {
        self.bytes = bytes
        self.table = table
    }

    private mutating func read() {
        skipSpace()
        // The braces of the dictionary may be left out.
        let hasBraces = skip(UInt8(ascii: "{"))
        skipSpace()
        while position < bytes.count {
            if hasBraces, skip(UInt8(ascii: "}")) {
                skipSpace()
                continue
            }
            guard table.takeEntry() else { return }
            readEntry()
            skipSpace()
        }
    }

    private mutating func readEntry() {
        guard let key = text(endingBefore: [UInt8(ascii: "="), UInt8(ascii: ";")]) else {
            table.note(.strayText)
            position = bytes[(position + 1)...].firstIndex(where: mayBeginEntry) ?? bytes.count
            return
        }
        skipSpace()
        guard skip(UInt8(ascii: "=")) else {
            // A key without a value is its own translation.
            if skip(UInt8(ascii: ";")) { return table.put(key, key) }
            return table.note(.missingEqualsSign(key: excerpt(key)))
        }
        skipSpace()
        guard let value = text(endingBefore: [UInt8(ascii: ";")]) else {
            return table.note(.missingText(key: excerpt(key)))
        }
        table.put(key, value)
        skipSpace()
        if !skip(UInt8(ascii: ";")) { table.note(.missingSemicolon(key: excerpt(key))) }
    }

    private mutating func text(endingBefore followers: [UInt8]) -> String? {
        if skip(doubleQuote) { return quoted(by: doubleQuote, endingBefore: followers) }
        if skip(singleQuote) { return quoted(by: singleQuote, endingBefore: followers) }
        return unquoted()
    }

    private mutating func unquoted() -> String? {
        let start = position
        position = bytes[start...].firstIndex { !isWordByte($0) } ?? bytes.count
        guard position > start else { return nil }
        var text = UnescapedText()
        text.append(bytes[start..<position])
        return finish(&text)
    }

    private mutating func quoted(by quote: UInt8, endingBefore followers: [UInt8]) -> String {
        var text = UnescapedText()
        while position < bytes.count {
            let plain = position
            position = bytes[plain...].firstIndex { $0 == quote || $0 == backslash } ?? bytes.count
            text.append(bytes[plain..<position])
            if skip(backslash) {
                escape(into: &text)
            } else if skip(quote) {
                if isEnd(before: followers) { return finish(&text) }
                table.note(.unescapedQuote)
                text.append(quote)
            }
        }
        table.note(.unterminatedText)
        return finish(&text)
    }

    private mutating func finish(_ text: inout UnescapedText) -> String {
        table.finish(&text)
    }

    /// Whether the quote before the position ends a text. It does if an expected character, a
    /// comment, or the end of a line with a missing semicolon follows. Examines only the next byte
    /// that is not white space.
    private func isEnd(before followers: [UInt8]) -> Bool {
        let space = bytes[position...].prefix(while: isSpace)
        guard space.endIndex < bytes.count else { return true }
        let next = bytes[space.endIndex]
        if followers.contains(next) || isComment(at: space.endIndex) { return true }
        return !followers.contains(UInt8(ascii: "=")) && space.contains(UInt8(ascii: "\n"))
    }
}

extension StringsFile {
    private mutating func escape(into text: inout UnescapedText) {
        guard position < bytes.count else { return }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "a"): text.append(0x07)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "v"): text.append(0x0B)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            let digits = bytes[(position - 1)...].prefix(3).prefix { (0x30...0x37).contains($0) }
            position = digits.endIndex
            let octet: UInt8 = digits.reduce(0) { $0 << 3 | $1 & 7 }
            text.append(unit: unit(ofNeXTSTEP: octet))
        case UInt8(ascii: "U"), UInt8(ascii: "u"):
            var unit: UInt16 = 0
            let digits = bytes[position...].prefix(4).prefix { hexadecimalValue($0) != nil }
            guard !digits.isEmpty else { return text.append(byte) }
            for digit in digits { unit = unit << 4 | UInt16(hexadecimalValue(digit) ?? 0) }
            position = digits.endIndex
            text.append(unit: unit)
        default: text.append(byte)
        }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            if isSpace(bytes[position]) {
                position += 1
            } else if isComment(at: position) {
                skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        let isLine = bytes[position + 1] == UInt8(ascii: "/")
        position += 2
        while let end = bytes[position...].firstIndex(of: isLine ? 0x0A : UInt8(ascii: "*")) {
            position = end + 1
            if isLine || skip(UInt8(ascii: "/")) { return }
        }
        position = bytes.count
    }

    private func isComment(at start: Int) -> Bool {
        let two = bytes[start...].prefix(2)
        return two.elementsEqual("//".utf8) || two.elementsEqual("/*".utf8)
    }
}

private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
}

/// Whether an entry, a comment or white space may begin with the byte.
private func mayBeginEntry(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "/") || isWordByte(byte) || isSpace(byte)
}

private let doubleQuote = UInt8(ascii: "\"")
private let singleQuote = UInt8(ascii: "'")
private let backslash = UInt8(ascii: "\\")

/// Includes all bytes of non-ASCII characters.
private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        true
    default: "_$.-:%@+'".utf8.contains(byte)
    }
}

/// The UTF-16 unit of a byte in NeXTSTEP's encoding, which Core Foundation uses for octal escapes.
private func unit(ofNeXTSTEP byte: UInt8) -> UInt16 {
    byte < 0x80 ? UInt16(byte) : upperHalfOfNeXTSTEP[Int(byte) - 0x80]
}

/// NEXTSTEP.TXT of the Unicode Consortium; the last two are not assigned.
private let upperHalfOfNeXTSTEP: [UInt16] = [
    0x00A0, 0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C7,
    0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF,
    0x00D0, 0x00D1, 0x00D2, 0x00D3, 0x00D4, 0x00D5, 0x00D6, 0x00D9,
    0x00DA, 0x00DB, 0x00DC, 0x00DD, 0x00DE, 0x00B5, 0x00D7, 0x00F7,
    0x00A9, 0x00A1, 0x00A2, 0x00A3, 0x2044, 0x00A5, 0x0192, 0x00A7,
    0x00A4, 0x2019, 0x201C, 0x00AB, 0x2039, 0x203A, 0xFB01, 0xFB02,
    0x00AE, 0x2013, 0x2020, 0x2021, 0x00B7, 0x00A6, 0x00B6, 0x2022,
    0x201A, 0x201E, 0x201D, 0x00BB, 0x2026, 0x2030, 0x00AC, 0x00BF,
    0x00B9, 0x02CB, 0x00B4, 0x02C6, 0x02DC, 0x00AF, 0x02D8, 0x02D9,
    0x00A8, 0x00B2, 0x02DA, 0x00B8, 0x00B3, 0x02DD, 0x02DB, 0x02C7,
    0x2014, 0x00B1, 0x00BC, 0x00BD, 0x00BE, 0x00E0, 0x00E1, 0x00E2,
    0x00E3, 0x00E4, 0x00E5, 0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB,
    0x00EC, 0x00C6, 0x00ED, 0x00AA, 0x00EE, 0x00EF, 0x00F0, 0x00F1,
    0x0141, 0x00D8, 0x0152, 0x00BA, 0x00F2, 0x00F3, 0x00F4, 0x00F5,
    0x00F6, 0x00E6, 0x00F9, 0x00FA, 0x00FB, 0x0131, 0x00FC, 0x00FD,
    0x0142, 0x00F8, 0x0153, 0x00DF, 0x00FE, 0x00FF, 0xFFFD, 0xFFFD,
]
