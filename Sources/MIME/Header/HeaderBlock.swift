import Bytes

/// The fields of a header that describe the body or the message, in order, with a copy of their
/// bytes. The other fields, most of a header, are skipped.
package struct HeaderBlock: Sendable {
    package private(set) var bytes: [UInt8] = []
    package private(set) var fields: [Field] = []
    /// Whether no field has begun yet, not even a skipped one.
    package private(set) var isEmpty = true
    /// Whether the last field is skipped, along with its continuation lines.
    private(set) var isPassingOver = false
    /// Whether bytes were left out because the block was too large.
    package private(set) var isCut = false
    /// Whether the last line was a field name whose colon is on the next line.
    private var awaitsColon = false
    /// The state of the last field's value, to decide whether the next line continues it.
    private var openValue = OpenValue()
    private var openValueEnd = 0

    /// The byte ranges of a field's name and body; the body may be folded.
    package struct Field: Sendable {
        package let name: Range<Int>
        package fileprivate(set) var body: Range<Int>
        let kind: FieldKind
    }

    package init() {}

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        isEmpty = true
        isPassingOver = false
        isCut = false
        awaitsColon = false
    }

    /// Reads a line that begins a field; false if it does not.
    ///
    /// VIOLATIONS.md, M22: white space or a line end before the colon. M6: a byte order mark.
    mutating func beginField(_ source: Span<UInt8>, _ line: Range<Int>, limit: Int) -> Bool {
        var line = line
        if isEmpty {
            line = line.dropFirst(ByteOrderMark.utf8.length(in: source, at: line.lowerBound))
        }
        awaitsColon = HeaderBlock.isNameOfPart(source, line)
        var name = line
        var colon = line.upperBound
        if awaitsColon {
            name = source.trimmed(line)
        } else {
            name = HeaderBlock.name(in: source, line)
            guard let found = HeaderBlock.colon(after: name, in: source, line) else { return false }
            colon = found
        }
        isEmpty = false
        isPassingOver = true
        guard let kind = FieldKind(source, name) else { return true }
        guard bytes.count + line.count <= limit, fields.count < HeaderBlock.mostFields else {
            isCut = true
            return true
        }
        isPassingOver = false
        let start = bytes.count
        append(source, line)
        let nameEnd = start + name.upperBound - line.lowerBound
        let body = min(start + colon - line.lowerBound + 1, bytes.count)..<bytes.count
        fields.append(Field(name: start..<nameEnd, body: body, kind: kind))
        openValue = OpenValue()
        openValueEnd = body.lowerBound
        return true
    }

    /// Appends a line, or a piece of one, to the last field.
    mutating func continueField(_ source: Span<UInt8>, _ line: Range<Int>, limit: Int) {
        guard let last = fields.indices.last, !isPassingOver else { return }
        guard bytes.count + line.count <= limit else {
            isCut = true
            isPassingOver = true
            return
        }
        var line = line
        if awaitsColon {
            awaitsColon = false
            let text = source.trimmed(line)
            guard let first = text.first, source[first] == UInt8(ascii: ":") else {
                isPassingOver = true
                return
            }
            line = first + 1..<line.upperBound
        }
        append(source, line)
        fields[last].body = fields[last].body.lowerBound..<bytes.count
    }

    /// Whether an unindented line that begins no field continues the last one.
    ///
    /// VIOLATIONS.md, M12: a continuation line without white space.
    mutating func isContinued(by source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard !fields.isEmpty, !isPassingOver, !awaitsColon, !source.trimmed(line).isEmpty else {
            return false
        }
        openValue.take(bytes[openValueEnd...])
        openValueEnd = bytes.count
        return openValue.isOpen || HeaderBlock.isParameter(source, line)
    }

    /// Decodes quoted-printable fields of parts. VIOLATIONS.md, M41: a multipart encoded as a
    /// whole.
    mutating func decodeQuotedPrintable() {
        guard bytes.indices.contains(where: { bytes.span.hasPrefix("=3D", at: $0) }) else { return }
        let encoded = self
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        for field in encoded.fields {
            let start = bytes.count
            var position = field.name.lowerBound
            while position < field.body.upperBound {
                let end = encoded.bytes.span.endOfLine(from: position, limit: field.body.upperBound)
                QuotedPrintable.decodeLine(encoded.bytes.span, position..<end, into: &bytes)
                position = end
            }
            let body = min(start + field.body.lowerBound - field.name.lowerBound, bytes.count)
            fields.append(
                Field(
                    name: start..<min(start + field.name.count, body), body: body..<bytes.count,
                    kind: field.kind))
        }
        openValue = OpenValue()
        openValueEnd = fields.last?.body.lowerBound ?? 0
    }

    /// The maximum number of fields kept.
    private static let mostFields = 4096

    private mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        unsafe source.withUnsafeBufferPointer { buffer in
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }

    /// The offset of the colon if a line begins with a field name. RFC 5322, 2.2 allows `=` and `"`
    /// in a name; here a line with either is a parameter.
    static func colon(in source: Span<UInt8>, _ line: Range<Int>) -> Int? {
        colon(after: name(in: source, line), in: source, line)
    }

    /// The characters of a field name with which a line begins.
    private static func name(in source: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        var end = line.lowerBound
        unsafe source.withUnsafeBytes { bytes in
            guard end >= 0, line.upperBound <= bytes.count else { return }
            while end < line.upperBound, end &+ 16 <= bytes.count {
                let block = unsafe bytes.loadUnaligned(
                    fromByteOffset: end, as: SIMD16<Int8>.self)
                let count = lengthOfName(block)
                end &+= count
                if count < 16 {
                    end = min(end, line.upperBound)
                    return
                }
            }
            end = min(end, line.upperBound)
            while end < line.upperBound, unsafe isOfName(bytes[end]) { end &+= 1 }
        }
        return line.lowerBound..<end
    }

    /// The number of characters of a name that a block begins with.
    @inline(__always)
    private static func lengthOfName(_ block: SIMD16<Int8>) -> Int {
        // The masks are integers, see ``LineMarks``.
        func set(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD16<UInt8> {
            unsafe unsafeBitCast(mask, to: SIMD16<UInt8>.self)
        }
        func equal(_ byte: Int8) -> SIMD16<UInt8> { set(block .== SIMD16(repeating: byte)) }
        let printable = set(block .> SIMD16(repeating: 0x20))
        let others = ~printable | equal(0x7F) | equal(0x3A) | equal(0x3D) | equal(0x22)
        let words = unsafe unsafeBitCast(others, to: SIMD2<UInt64>.self)
        let first = words.x.littleEndian.trailingZeroBitCount / 8
        return first < 8 ? first : 8 &+ words.y.littleEndian.trailingZeroBitCount / 8
    }

    private static func colon(
        after name: Range<Int>, in source: Span<UInt8>, _ line: Range<Int>
    ) -> Int? {
        var index = name.upperBound
        while index < line.upperBound, source[index] == 0x20 || source[index] == 0x09 { index += 1 }
        guard !name.isEmpty, index < line.upperBound, source[index] == UInt8(ascii: ":") else {
            return nil
        }
        return index
    }

    @inline(__always)
    private static func isOfName(_ byte: UInt8) -> Bool {
        byte < 0x40 ? marksOfNames &>> UInt64(byte) & 1 != 0 : byte < 0x7F
    }

    /// A bit for each punctuation mark and digit allowed in a name.
    private static let marksOfNames: UInt64 = 0xDBFF_FFFA_0000_0000

    /// Whether a line consists only of the name of a Content- field.
    @inline(__always)
    private static func isNameOfPart(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        // Most fields have other names.
        guard let first = line.first, source[first] | 0x20 == 0x63 || source[first].isWhiteSpace
        else { return false }
        return isIndentedNameOfPart(source, line)
    }

    private static func isIndentedNameOfPart(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var start = line.lowerBound
        while start < line.upperBound, source[start].isWhiteSpace { start += 1 }
        guard source.hasPrefix(caseInsensitive: "content-", at: start) else { return false }
        let text = source.trimmed(start..<line.upperBound)
        return source.isWord("content-type", text) || source.isWord("content-disposition", text)
            || source.isWord("content-transfer-encoding", text)
    }

    /// Whether a line begins with `name=value`, without white space.
    private static func isParameter(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var index = line.lowerBound
        while index < line.upperBound, index - line.lowerBound <= 32,
            source[index].isASCIILetter || source[index].isASCIIDigit
                || source[index] == UInt8(ascii: "*") || source[index] == UInt8(ascii: "-")
        {
            index += 1
        }
        return index > line.lowerBound && index + 1 < line.upperBound
            && source[index] == UInt8(ascii: "=") && source[index + 1] != UInt8(ascii: "=")
    }

    /// The bodies of all fields with this name, in order; `name` is in lower case.
    package func bodies(of name: StaticString) -> [Range<Int>] {
        var bodies: [Range<Int>] = []
        for field in fields where isNamed(field, name) { bodies.append(field.body) }
        return bodies
    }

    func isNamed(_ field: Field, _ name: StaticString) -> Bool {
        field.name.count == name.utf8CodeUnitCount
            && bytes.span.hasPrefix(caseInsensitive: name, at: field.name.lowerBound)
    }

    /// The text of the first field with this name, unfolded and decoded; empty if there is none.
    /// Reads at most `limit` bytes of the field.
    package func text(of name: StaticString, limit: Int = .max) -> String {
        guard let body = fields.first(where: { isNamed($0, name) })?.body else { return "" }
        return EncodedWords.decode(unfolded(body.prefix(limit)))
    }

    /// A body unfolded to one line, trimmed.
    func unfolded(_ body: Range<Int>) -> [UInt8] {
        let body = bytes.span.trimmed(body)
        var line: [UInt8] = []
        line.reserveCapacity(body.count)
        for byte in bytes[body] where byte != 0x0D {
            if byte == 0x0A {
                // Unfolding: the white space after the line end is kept.
                continue
            }
            line.append(byte == 0x09 ? 0x20 : byte)
        }
        return line
    }
}
