import Archives
import Bytes

/// manifest.json: the SHA-1 of each file of the pass by path.
///
/// Not parsed with Foundation, which silently keeps only one of two equal keys. VIOLATIONS.md, P36:
/// other encodings. P34: upper-case hashes. P38: a path twice, with the same hash. P35: it lists
/// itself.
package struct Manifest {
    /// In lower-case hexadecimal digits.
    private(set) var hashes: [EntryName: String] = [:]
    private(set) var notes: [Finding] = []
    /// In the order of the text; a path may be there twice.
    package private(set) var paths: [String] = []

    /// - Parameter limit: The maximum number of paths.
    package init(_ bytes: [UInt8], limit: Int) throws(ManifestError) {
        var text = bytes[...]
        if ByteOrderMark(bytes) == .utf8 {
            text = text.dropFirst(ByteOrderMark.utf8.bytes.count)
            notes.append(.manifestEncoding(.byteOrderMark))
        } else if let utf16 = decodedUTF16(bytes) {
            text = utf16[...]
            notes.append(.manifestEncoding(.utf16))
        }
        guard isUTF8(text) else { throw .notText }
        var reader = ManifestReader(text)
        var (hasUpperCase, hasTwice) = (false, false)
        while let (path, hash) = try reader.next() {
            let lower = hash.asciiLowercased
            guard hashes.count < limit else { throw .tooManyPaths(limit: limit) }
            paths.append(path)
            hasUpperCase = hasUpperCase || !lower.isExactly(hash)
            if let known = hashes.updateValue(lower, forKey: EntryName(path)) {
                guard known.isExactly(lower) else { throw .contradiction(path: path) }
                hasTwice = true
            }
        }
        if hasUpperCase { notes.append(.manifestUpperCase) }
        if hasTwice { notes.append(.manifestDuplicateKey) }
        if hashes.removeValue(forKey: "manifest.json") != nil {
            notes.append(.manifestListsItself)
        }
    }
}

/// Why manifest.json cannot be read. The payload of ``Finding/manifest(_:)``.
public enum ManifestError: Error, Sendable, Hashable, Codable {
    /// It is neither UTF-8 nor UTF-16 text.
    case notText
    /// Invalid JSON: `syntax` is what was expected at this offset, in bytes.
    case syntax(ManifestSyntax, offset: Int)
    /// The value of this path is not a string.
    case notAString(path: String)
    /// It contains two different hashes for this path.
    case contradiction(path: String)
    /// A path has more than 30 combining marks in a row.
    case longCombiningRun
    /// It lists more paths than this limit.
    case tooManyPaths(limit: Int)
}

/// The expected syntax where manifest.json is not valid JSON (RFC 8259). The payload of
/// ``ManifestError/syntax(_:offset:)``.
public enum ManifestSyntax: String, Sendable, Hashable, Codable, CaseIterable {
    /// `{`
    case openingBrace
    /// `,` or `}`
    case commaOrClosingBrace
    /// A path in quotation marks.
    case path
    /// `:`
    case colon
    /// The end of the text.
    case end
    /// The quotation mark that ends a string.
    case endOfString
    /// A complete surrogate pair.
    case surrogatePair
    /// A valid escape sequence.
    case escape
    /// A hexadecimal digit.
    case hexadecimalDigit
}

/// Reads a flat JSON object with string values (RFC 8259), member by member.
private struct ManifestReader {
    private var rest: ArraySlice<UInt8>
    private var isFirst = true

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    mutating func next() throws(ManifestError) -> (path: String, hash: String)? {
        if isFirst {
            try expect("{", .openingBrace)
        } else if !skip("}") {
            try expect(",", .commaOrClosingBrace)
        } else {
            return try end()
        }
        // VIOLATIONS.md, P37: a trailing comma.
        if skip("}") { return try end() }
        isFirst = false
        let path = try string(orThrow: .syntax(.path, offset: rest.startIndex))
        try expect(":", .colon)
        return (path, try string(orThrow: .notAString(path: path)))
    }

    private mutating func end() throws(ManifestError) -> (path: String, hash: String)? {
        skipSpace()
        guard rest.isEmpty else { throw .syntax(.end, offset: rest.startIndex) }
        return nil
    }

    private mutating func string(orThrow error: ManifestError) throws(ManifestError) -> String {
        guard skip("\"") else { throw error }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                if StreamSafeText.hasLongRun(bytes.span) { throw .longCombiningRun }
                return String(streamSafe: bytes)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: try escape())
            // VIOLATIONS.md, P39: also control characters.
            default: bytes.append(byte)
            }
        }
        throw .syntax(.endOfString, offset: rest.startIndex)
    }

    private mutating func escape() throws(ManifestError) -> [UInt8] {
        let offset = rest.startIndex
        switch rest.popFirst() {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case .some(let byte) where "\"\\/".utf8.contains(byte): return [byte]
        case UInt8(ascii: "u"):
            var units = [try unit()]
            // The low surrogate.
            if units[0] & 0xfc00 == 0xd800, rest.starts(with: "\\u".utf8) {
                rest.removeFirst(2)
                units.append(try unit())
            }
            guard let utf8 = utf8(ofUTF16: units) else {
                throw .syntax(.surrogatePair, offset: offset)
            }
            return utf8
        default: throw .syntax(.escape, offset: offset)
        }
    }

    private mutating func unit() throws(ManifestError) -> UInt16 {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(streamSafe: digits), radix: 16)
        else { throw .syntax(.hexadecimalDigit, offset: rest.startIndex) }
        rest.removeFirst(4)
        return unit
    }

    private mutating func expect(
        _ sign: Unicode.Scalar, _ expected: ManifestSyntax
    ) throws(ManifestError) {
        guard skip(sign) else { throw .syntax(expected, offset: rest.startIndex) }
    }

    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    }
}

/// Nil if the bytes are not UTF-16: a manifest begins with two ASCII characters.
private func decodedUTF16(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
    let isBig: Bool
    switch ByteOrderMark(bytes) {
    case .utf16BigEndian: isBig = true
    case .utf16LittleEndian: isBig = false
    case .utf8, nil:
        isBig = bytes[0] == 0
        guard isBig != (bytes[1] == 0) else { return nil }
    }
    var units: [UInt16] = []
    for index in stride(from: 0, to: bytes.count, by: 2) {
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        units.append(isBig ? first << 8 | second : second << 8 | first)
    }
    if units.first == 0xfeff { units.removeFirst() }
    return utf8(ofUTF16: units)
}

/// Nil for an unpaired surrogate.
private func utf8(ofUTF16 units: [UInt16]) -> [UInt8]? {
    var utf8: [UInt8] = []
    let isBroken = transcode(
        units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
    ) { utf8.append($0) }
    return isBroken ? nil : utf8
}

private func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    (try? UTF8Span(validating: bytes.span)) != nil
}
