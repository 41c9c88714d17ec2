import Bytes

/// Multiparts that are encoded as a whole (VIOLATIONS.md, M41).
extension MessageParser {
    /// Whether the first line of a multipart's body looks like base64 or quoted-printable instead
    /// of a delimiter or a preamble, whatever its header says (VIOLATIONS.md, M42).
    func isEncodedMultipart(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard leaf.header.isMultipart, let top = open.last, top.isMultipart, top.children == 0
        else {
            return false
        }
        let text = bytes.trimmed(line)
        if bytes.hasPrefix("--", at: text.lowerBound) {
            guard boundaries.delimiter(bytes, line) == nil else { return false }
            var decoded: [UInt8] = []
            QuotedPrintable.decodeLine(bytes, text, into: &decoded)
            return boundaries.delimiter(decoded.span, 0..<decoded.count) != nil
        }
        guard text.allSatisfy({ Base64.isDigit(bytes[$0]) }) else { return false }
        let decoded = Base64.decode(bytes, text.prefix(OpenBoundaries.longest))
        return decoded.span.hasPrefix("--", at: 0)
            || leaf.header.encodings.contains(.base64) && decoded.count >= 24
    }

    /// Collects the body with a header prepended, so that it can be parsed once decoded.
    mutating func beginCollectingMultipart() {
        beginCollecting(.message)
        let block = leaf.isTop ? header : partHeader
        var lines: [UInt8] = []
        for field in block.fields where block.isNamed(field, "content-type") {
            lines += block.bytes[field.name.lowerBound..<field.body.upperBound]
            if lines.last != UInt8(ascii: "\n") { lines.append(UInt8(ascii: "\n")) }
        }
        lines.append(UInt8(ascii: "\n"))
        collector?.append(lines.span, 0..<lines.count)
        leaf.headerLength = lines.count
        leaf.number = open.last?.number ?? ""
    }
}
