import Bytes
import MailSource

/// Reads the fields of a message's own header and, one after the other, of its parts.
struct HeaderReader {
    /// The message's own header.
    private(set) var message = HeaderBlock()
    private var part = HeaderBlock()
    /// Whether the last header is the message's own.
    private(set) var isOfMessage = true
    /// Whether the rest of a line that the reader cut belongs to the previous field.
    private var continuesField = false
    /// The number of delimiter-like lines in the header.
    private var dashes = 0
    /// The number of blank lines that did not end the header of the part.
    private var pieces = 0
    /// The number of lines before the first field that were examined as a file in base64.
    private var examined = 0
    private let limits: MIMELimits

    init(limits: MIMELimits) {
        self.limits = limits
    }

    /// The last header.
    var block: HeaderBlock { isOfMessage ? message : part }

    var isEmpty: Bool { isOfMessage ? message.isEmpty : part.isEmpty }

    /// Whether the last field is skipped, along with its continuation lines.
    var isPassingOver: Bool { isOfMessage ? message.isPassingOver : part.isPassingOver }

    mutating func beginMessage() {
        message.removeAll()
        part.removeAll()
        isOfMessage = true
        continuesField = false
        dashes = 0
        pieces = 0
        examined = 0
    }

    /// Begins the header of the part after a delimiter.
    mutating func beginPart() {
        beginEmbeddedMessage()
        pieces = 0
    }

    /// Begins the header of a message that is the body of the part.
    mutating func beginEmbeddedMessage() {
        part.removeAll()
        isOfMessage = false
    }

    /// Continues a header after a blank line that did not end it; false if there were too many.
    mutating func resume() -> Bool {
        guard pieces < 8 else { return false }
        pieces += 1
        if isOfMessage { part = message }
        isOfMessage = false
        return true
    }

    /// Reads a line that begins a field; false if it does not.
    mutating func beginField(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let limit = limits.headerBlock
        let begins =
            isOfMessage
            ? message.beginField(bytes, line, limit: limit)
            : part.beginField(bytes, line, limit: limit)
        if begins { continuesField = true }
        return begins
    }

    /// Reads an indented line. VIOLATIONS.md, M14: if a message was indented as a whole, so is the
    /// first field. M19: a continuation of white space only.
    mutating func readIndented(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        if !isEmpty || !beginField(bytes, bytes.trimmed(line)) { append(bytes, line) }
        continuesField = true
    }

    /// Reads a line that begins no field, but may continue the last one.
    mutating func readUnindented(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        continuesField =
            isOfMessage
            ? message.isContinued(by: bytes, line) : part.isContinued(by: bytes, line)
        readRest(bytes, line)
    }

    /// Reads the rest of a line that the reader cut.
    mutating func readRest(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        if continuesField { append(bytes, line) }
    }

    private mutating func append(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        if isOfMessage {
            message.continueField(bytes, line, limit: limits.headerBlock)
        } else {
            part.continueField(bytes, line, limit: limits.headerBlock)
        }
    }

    /// Whether a `--` line is the first delimiter of the multipart whose header this is. Limited,
    /// because each attempt parses the header.
    mutating func isOwnDelimiter(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard dashes < 4 else { return false }
        dashes += 1
        let header = PartHeader(block, limits: limits)
        let boundary = bytes.trimmed(line).dropFirst(2).map { bytes[$0] }
        return header.isMultipart && header.boundaries.contains(boundary)
    }

    /// Whether a file in base64 begins at a line before the first field. Limited, because each
    /// attempt reads on.
    mutating func isBase64File(_ bytes: Span<UInt8>, from line: Int) -> Bool {
        examined += 1
        return examined <= 4 && Base64File.start(in: bytes.extracting(line...)) != nil
    }

    /// The Content-Type fields of the header, and a blank line.
    var contentTypeLines: [UInt8] {
        let block = block
        var lines: [UInt8] = []
        for field in block.fields where block.isNamed(field, "content-type") {
            lines += block.bytes[field.name.lowerBound..<field.body.upperBound]
            if lines.last != UInt8(ascii: "\n") { lines.append(UInt8(ascii: "\n")) }
        }
        return lines + [UInt8(ascii: "\n")]
    }

    /// Whether the fields are quoted-printable, since a parameter is written as `name=3D`.
    var isQuotedPrintable: Bool {
        let block = block
        let source = block.bytes.span
        for field in block.fields where block.isNamed(field, "content-type") {
            for index in field.body where source.hasPrefix("=3D", at: index) {
                let name = field.body.lowerBound..<index
                let before = name.suffix(8).map { source[$0].asciiLowercased }
                if ["boundary", "charset", "name"].contains(where: {
                    before.suffix($0.utf8.count).elementsEqual($0.utf8)
                }) {
                    return true
                }
            }
        }
        return false
    }

    /// The fields that describe the body, decoded, and a blank line.
    mutating func quotedPrintableLines() -> [UInt8] {
        part.decodeQuotedPrintable()
        var lines: [UInt8] = []
        for field in part.fields {
            lines += part.bytes[field.name.lowerBound..<field.body.upperBound]
            if lines.last != UInt8(ascii: "\n") { lines.append(UInt8(ascii: "\n")) }
        }
        return lines + [UInt8(ascii: "\n")]
    }

    /// Ends the header. `isQuotedPrintable`: a part may be encoded along with its multipart.
    mutating func end(isQuotedPrintable: Bool) -> PartHeader {
        if !isOfMessage, isQuotedPrintable { part.decodeQuotedPrintable() }
        continuesField = false
        dashes = 0
        return PartHeader(block, limits: limits)
    }
}
