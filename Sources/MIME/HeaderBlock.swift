import Bytes

/// The fields of one header that say what its body is or whose message it is, in the order in which
/// they stand, with their own copy of the bytes. The rest, most of a header, is passed over.
package struct HeaderBlock: Sendable {
    package private(set) var bytes: [UInt8] = []
    package private(set) var fields: [Field] = []
    /// Whether no field has begun, of use or not.
    package private(set) var isEmpty = true
    /// Whether the last field that began is passed over, with the lines that continue it.
    private(set) var isPassingOver = false
    /// Whether bytes were left out because the block was too large.
    package private(set) var isCut = false
    /// Whether the last field is a name whose colon stands on the next line.
    private var awaitsColon = false
    /// Of the last field, as far as it was looked at for whether more follows.
    private var openValue = OpenValue()
    private var openValueEnd = 0

    /// Where a field's name and body stand in the bytes; the body may be folded.
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

    /// Takes a line that begins a field; false if it is none.
    ///
    /// RFC 5322, 3.6.8 allows no space in or after a name; mailers put one before the colon, or a whole
    /// line end, and editors a mark of UTF-8 before the first.
    mutating func beginField(_ source: Span<UInt8>, _ line: Range<Int>, limit: Int) -> Bool {
        var line = line
        if isEmpty, source.hasPrefix("\u{FEFF}", at: line.lowerBound) {
            line = line.dropFirst(3)
        }
        awaitsColon = HeaderBlock.isNameOfPart(source, line)
        guard let colon = awaitsColon ? line.upperBound : HeaderBlock.colon(in: source, line) else {
            return false
        }
        isEmpty = false
        isPassingOver = true
        let name = source.trimmed(line.lowerBound..<colon)
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

    /// Takes a line, or a piece of one, that belongs to the last field.
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

    /// Whether a line that begins no field and is not indented continues the last one all the same.
    ///
    /// RFC 5322, 2.2.3 wants white space there. Scripts that fold by themselves, and relays that cut
    /// long lines, put none.
    mutating func isContinued(by source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard !fields.isEmpty, !isPassingOver, !awaitsColon, !source.trimmed(line).isEmpty else {
            return false
        }
        openValue.take(bytes[openValueEnd...])
        openValueEnd = bytes.count
        return openValue.isOpen || HeaderBlock.isParameter(source, line)
    }

    /// Decodes the fields if they are encoded as text is. RFC 2045, 6.4 allows no encoding of a multipart
    /// but for its parts' bodies; gateways encode all that is in one.
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

    /// Fields that are kept, at the most.
    private static let mostFields = 4096

    private mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        unsafe source.withUnsafeBufferPointer { buffer in
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }

    /// Where the colon of a field stands, if a line begins with a field's name. RFC 5322, 2.2 would
    /// have `=` and `"` in a name; where one stands, the line is a parameter.
    static func colon(in source: Span<UInt8>, _ line: Range<Int>) -> Int? {
        var index = line.lowerBound
        while index < line.upperBound, isOfName(source[index]) { index += 1 }
        let nameEnd = index
        while index < line.upperBound, source[index] == 0x20 || source[index] == 0x09 { index += 1 }
        guard nameEnd > line.lowerBound, index < line.upperBound,
            source[index] == UInt8(ascii: ":")
        else { return nil }
        return index
    }

    @inline(__always)
    private static func isOfName(_ byte: UInt8) -> Bool {
        byte < 0x40 ? marksOfNames &>> UInt64(byte) & 1 != 0 : byte < 0x7F
    }

    /// A bit for each of the marks and digits that may be in a name.
    private static let marksOfNames: UInt64 = 0xDBFF_FFFA_0000_0000

    /// Whether a line is nothing but the name of a field that tells of a body.
    private static func isNameOfPart(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var start = line.lowerBound
        while start < line.upperBound, source[start].isWhiteSpace { start += 1 }
        guard start < line.upperBound, source[start].asciiLowercased == UInt8(ascii: "c"),
            source.hasPrefix(caseInsensitive: "content-", at: start)
        else { return false }
        let text = source.trimmed(start..<line.upperBound)
        return source.isWord("content-type", text) || source.isWord("content-disposition", text)
            || source.isWord("content-transfer-encoding", text)
    }

    /// Whether a line begins `name=value`, without white space.
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

    /// The bodies of the fields of a name, which is in lower case, in their order.
    package func bodies(of name: StaticString) -> [Range<Int>] {
        var bodies: [Range<Int>] = []
        for field in fields where isNamed(field, name) { bodies.append(field.body) }
        return bodies
    }

    func isNamed(_ field: Field, _ name: StaticString) -> Bool {
        field.name.count == name.utf8CodeUnitCount
            && bytes.span.hasPrefix(caseInsensitive: name, at: field.name.lowerBound)
    }

    /// The text of the first field of a name, unfolded and decoded; empty where there is none. No more
    /// than `limit` bytes of the field are read.
    package func text(of name: StaticString, limit: Int = .max) -> String {
        guard let body = fields.first(where: { isNamed($0, name) })?.body else { return "" }
        return EncodedWords.decode(unfolded(body.prefix(limit)))
    }

    /// A body on one line, without the white space around it.
    func unfolded(_ body: Range<Int>) -> [UInt8] {
        let body = bytes.span.trimmed(body)
        var line: [UInt8] = []
        line.reserveCapacity(body.count)
        for byte in bytes[body] where byte != 0x0D {
            if byte == 0x0A {
                // The white space that follows a fold stands for it.
                continue
            }
            line.append(byte == 0x09 ? 0x20 : byte)
        }
        return line
    }
}
