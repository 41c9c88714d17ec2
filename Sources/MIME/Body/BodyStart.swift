import Bytes
import MailSource

/// The first non-blank line of a body, which shows without decoding that most bodies cannot contain
/// a pass.
enum BodyStart {
    /// The number of bytes examined: enough for every signature in any encoding.
    private static let length = 96

    /// The encoding of a body that begins with a pass-carrying file, whatever its header says; nil
    /// otherwise. VIOLATIONS.md, M25: a wrong media type. M38: a wrong encoding.
    static func ofFile(_ source: Span<UInt8>, _ line: Range<Int>) -> BodyDecoding? {
        let start = line.lowerBound
        if source.hasPrefix("begin ", at: start), UUEncoding.name(source, line) != nil {
            return .uuencode
        }
        if source.hasPrefix("=ybegin ", at: start) { return .yEnc }
        if isFile(source, at: start) { return .identity }
        let head = start..<min(line.upperBound, start + length)
        if let first = Base64.firstByte(source, head), mayBeginFile(with: first),
            holdsFile(Base64.decode(source, head))
        {
            return .base64
        }
        guard let first = head.first.map({ source[$0] }),
            first == UInt8(ascii: "=") || mayBeginFile(with: first),
            source.firstIndex(of: UInt8(ascii: "="), in: head) != nil
        else { return nil }
        return holdsFile(quotedPrintable(source, head)) ? .quotedPrintable : nil
    }

    /// The encoding of a body that begins with a message or mailbox and is declared to be a file.
    static func ofMail(
        _ source: Span<UInt8>, _ line: Range<Int>, _ header: PartHeader
    ) -> BodyDecoding? {
        let isEncoded = header.encodings.contains(.base64)
        // Other text that begins like a message is a reply quoting it.
        guard !header.isMultipart,
            isEncoded || !header.isText || !header.names.isEmpty || header.saysContainer
        else { return !header.isMultipart && isMailInBase64(source, line) ? .base64 : nil }
        // In an mbox, the `From ` line of an embedded mbox is quoted.
        let start = line.lowerBound + (source.hasPrefix(">From ", at: line.lowerBound) ? 1 : 0)
        let head = start..<min(line.upperBound, start + length)
        if isEncoded, mayBeginMail(Base64.decode(source, head), header) { return .base64 }
        if isMailInBase64(source, line) { return .base64 }
        if header.encodings.contains(.quotedPrintable) {
            let decoded = quotedPrintable(source, head)
            return isMailOrText(decoded.span, header) ? .quotedPrintable : nil
        }
        return isMailOrText(source.extracting(head), header) ? .identity : nil
    }

    /// Whether a line is the base64 of the first bytes of a message or mailbox, whatever the header
    /// says (VIOLATIONS.md, M77).
    static func isMailInBase64(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        // Most bodies that are no mail show it in their first bytes.
        let start = line.prefix(while: { source[$0].isWhiteSpace }).endIndex
        let head = start..<min(start + 8, line.upperBound)
        guard head.allSatisfy({ Base64.isDigit(source[$0]) }),
            let first = Base64.firstByte(source, head), isPrintable(first),
            Base64.decode(source, head).allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let digits = digits(source, line), digits.count >= shortestMail
        else { return false }
        return MailFormat(Base64.decode(source, digits).span) != nil
    }

    /// The encoding of a body that begins with a tar archive, by the checksum of its first header.
    /// If `isCut`, only the first line is at hand, which rarely suffices for it; then the member's
    /// name and the NULs after it suffice to examine the whole body.
    static func ofTar(
        _ source: Span<UInt8>, from start: Int, _ header: PartHeader, isCut: Bool
    ) -> BodyDecoding? {
        guard start < source.count, !header.isMultipart else { return nil }
        let body = source.extracting(start...).extracting(first: Base64File.examined)
        if beginsTar(body, isCut) { return .identity }
        let line = body.trimmed(0..<body.endOfLine(from: 0, limit: body.count))
        // Three NULs after the name, at the end of a usual line, rule out most bodies.
        if body.hasPrefix("AAAA", at: min(line.count, 76) - 4),
            line.allSatisfy({ Base64.isDigit(body[$0]) }),
            beginsTar(Base64.decode(body, body.indices).span, isCut)
        {
            return .base64
        }
        guard header.encodings.contains(.quotedPrintable), !header.isText || !header.names.isEmpty
        else { return nil }
        var decoded: [UInt8] = []
        var position = 0
        while position < body.count, decoded.count < TarHeader.size {
            let end = body.endOfLine(from: position, limit: body.count)
            QuotedPrintable.decodeLine(body, position..<end, into: &decoded)
            position = end
        }
        return beginsTar(decoded.span, isCut) ? .quotedPrintable : nil
    }

    private static func beginsTar(_ bytes: Span<UInt8>, _ isCut: Bool) -> Bool {
        if bytes.count >= TarHeader.size { return bytes[148] < 0x80 && TarHeader(bytes) != nil }
        let name = bytes.extracting(first: 100)
        guard isCut, let end = name.firstIndex(of: 0, in: name.indices), end > 0 else {
            return false
        }
        return name.indices.allSatisfy { $0 < end ? name[$0] > 0x1F : name[$0] == 0 }
    }

    /// Whether a body in base64 is text by its header, or by its first bytes if the header does not
    /// tell: mail programs send unknown files as application/octet-stream. If it is the base64 of a
    /// file again (VIOLATIONS.md, M43), the header does not matter.
    static func isTextInBase64(
        _ source: Span<UInt8>, _ line: Range<Int>, _ header: PartHeader
    ) -> Bool {
        guard header.encodings.contains(.base64) else { return false }
        if isText(source, line, header) { return true }
        // Neither PNG nor PDF; text in UTF-8 or UTF-16, perhaps with a byte order mark.
        guard let first = Base64.firstByte(source, line.prefix(length)),
            Base64.isDigit(first) || first.isWhiteSpace || first == UInt8(ascii: "-")
                || [0, 0xEF, 0xFE, 0xFF].contains(first)
        else { return false }
        return Base64File.mayBegin(with: Base64.decode(source, line.prefix(length)))
    }

    private static func isText(
        _ source: Span<UInt8>, _ line: Range<Int>, _ header: PartHeader
    ) -> Bool {
        if header.isText { return header.isTextInBase64 || !hasWholeGroups(source, line) }
        guard header.saysNothingOfContents || header.mediaTypes.contains(where: isEncodedType)
        else { return !hasWholeGroups(source, line) && TextForm(header) != nil }
        let head = Base64.decode(source, line.prefix(16))
        let start = head.dropFirst(ByteOrderMark.utf8.length(in: head.span))
        return start.count >= 4 && start.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0.isWhiteSpace }
            && !head.span.hasPrefix("%PDF", at: 0)
    }

    /// Whether a body that is not declared to be base64 begins with a file in it, encoded several
    /// times, in quoted-printable or after other characters (VIOLATIONS.md, M43).
    static func isFileInBase64(
        _ source: Span<UInt8>, _ line: Range<Int>, _ header: PartHeader
    ) -> Bool {
        // The `data:` URLs in texts are found there. The first bytes rule out most bodies.
        guard !header.encodings.contains(.base64),
            Base64File.isDataURL(source, at: line.lowerBound)
                ? TextForm(header) == nil
                : line.prefix(8).allSatisfy({ Base64.isDigit(source[$0]) })
        else { return false }
        let head = line.prefix(length)
        return Base64File.mayBegin(
            with: header.encodings.contains(.quotedPrintable)
                ? quotedPrintable(source, head) : head.map { source[$0] })
    }

    /// Whether each line of a body in base64 can be decoded alone, if its first line is typical.
    private static func hasWholeGroups(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let digits = source.trimmed(line).count
        // The length of a line that is cut is unknown.
        let isCut = line.last.map { source[$0] != UInt8(ascii: "\n") } ?? true
        return (digits % 4 == 0 || isCut) && digits < 1000
    }

    private static func isEncodedType(_ type: String) -> Bool { encodedTypes.contains(type) }

    private static let encodedTypes = [
        "application/x-uuencode", "application/x-uuencoded", "application/x-yencode",
    ]

    /// Whether a line is one of base64, or the base64 of the first bytes of a message.
    static func isBase64(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        digits(source, line)?.count ?? 0 >= shortestLine || isMailInBase64(source, line)
    }

    /// The first base64 digits of a line; nil if there is anything else.
    private static func digits(_ source: Span<UInt8>, _ line: Range<Int>) -> Range<Int>? {
        let digits = source.trimmed(line).prefix(longestHead)
        let count = Base64.digitCount(source.extracting(digits))
        return count == digits.count ? digits : nil
    }

    /// The number of base64 digits in which a field of a message can be recognised.
    private static let shortestMail = 16
    /// The number of digits in the shortest line that encoders write; words are shorter.
    private static let shortestLine = 60
    /// The number of base64 digits examined: a header of some lines.
    private static let longestHead = 4096

    /// Whether the first line of a base64 body is inconclusive: it has too few digits, or other
    /// text before them.
    static func isDoubtful(
        _ source: Span<UInt8>, _ line: Range<Int>, _ header: PartHeader
    ) -> Bool {
        guard header.encodings.contains(.base64) else { return false }
        let text = source.trimmed(line)
        guard text.prefix(length).allSatisfy({ Base64.isDigit(source[$0]) }) else { return true }
        if text.count >= FileSignature.length * 4 / 3 { return false }
        // The length of a stray word before the body is rarely a multiple of four.
        guard text.count % 4 == 0, let first = Base64.firstByte(source, text) else { return true }
        // A video (ISO 14496-12) begins with its length, and takes long to decode.
        if Base64.decode(source, text).starts(with: [0, 0]) { return false }
        return mayBeginFile(with: first) || isPrintable(first)
    }

    /// Whether a message may begin with the byte.
    private static func isPrintable(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

    private static func mayBeginFile(with byte: UInt8) -> Bool {
        byte.isWhiteSpace || FileSignature.mayBegin(with: byte)
    }

    /// Whether the decoded bytes begin with a file, after any line ends that a script printed
    /// first.
    private static func holdsFile(_ decoded: [UInt8]) -> Bool {
        isFile(decoded.span, at: decoded.firstIndex { !$0.isWhiteSpace } ?? 0)
    }

    private static func isFile(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        FileSignature(bytes, at: start) != nil || MacSignature.isBinHexMarker(bytes, at: start)
            || MacSignature.mayBeginMacBinary(bytes, at: start)
    }

    /// Whether the decoded first line may begin mail: it also does if it ends before the DATA of an
    /// SMTP dialogue, or in UTF-16.
    private static func mayBeginMail(_ decoded: [UInt8], _ header: PartHeader) -> Bool {
        if isMailOrText(decoded.span, header) || BatchSMTP.mayBegin(decoded.span) { return true }
        let isFile = !header.isText || !header.names.isEmpty
        // Pages and plain texts in UTF-16 without a byte order mark are searched as texts.
        return isFile
            && (ByteOrderMark(decoded)?.isUTF16 == true
                || TextForm(header) == nil && MailRepair.isUTF16(decoded.span))
    }

    /// Whether the first line is that of mail, or of another text with files in it. A property list
    /// that is named like the shortcut to a web page is searched for its URL instead.
    private static func isMailOrText(_ line: Span<UInt8>, _ header: PartHeader) -> Bool {
        if MailFormat(line) != nil { return true }
        guard let text = TextSignature(line) else { return false }
        return text != .propertyList || TextForm(header) == nil
    }

    private static func quotedPrintable(_ source: Span<UInt8>, _ line: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        QuotedPrintable.decodeLine(source, line, into: &decoded)
        return decoded
    }
}
