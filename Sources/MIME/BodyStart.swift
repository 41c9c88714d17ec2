import Bytes
import MailSource

/// The first line of a body that is not blank. Most bodies need no decoding to see that nothing in
/// them can be a pass: this line tells.
enum BodyStart {
    /// How many bytes of the line are looked at: enough for every signature, however it is encoded.
    private static let length = 96

    /// How a body is encoded that begins as a file in which a pass may travel, whatever its header
    /// says; nil for all others.
    static func ofFile(_ source: Span<UInt8>, _ line: Range<Int>) -> BodyDecoding? {
        let start = line.lowerBound
        if source.hasPrefix("begin ", at: start), UUEncoding.name(source, line) != nil {
            return .uuencode
        }
        if source.hasPrefix("=ybegin ", at: start) { return .yEnc }
        if FileSignature(source, at: start) != nil || MacFile.isBinHexMarker(source, line) {
            return .identity
        }
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

    /// How a body is encoded that begins as a mail or a mailbox and is said to be a file.
    static func ofMail(
        _ source: Span<UInt8>, _ line: Range<Int>, _ header: PartHeader
    ) -> BodyDecoding? {
        let isEncoded = header.encodings.contains(.base64)
        // Text that begins so is somebody's answer, with the mail it answers quoted.
        guard !header.isMultipart, isEncoded || !header.isText || !header.names.isEmpty else {
            return nil
        }
        // In an mbox the first line of another is quoted.
        let start = line.lowerBound + (source.hasPrefix(">From ", at: line.lowerBound) ? 1 : 0)
        let head = start..<min(line.upperBound, start + length)
        if isEncoded, SourceKind(Base64.decode(source, head).span).isMail { return .base64 }
        if header.encodings.contains(.quotedPrintable) {
            return SourceKind(quotedPrintable(source, head).span).isMail ? .quotedPrintable : nil
        }
        return SourceKind(source.extracting(head)).isMail ? .identity : nil
    }

    /// Whether the first line of a base64 body does not tell what the body is: it has too few digits, or
    /// something else before them.
    static func isDoubtful(
        _ source: Span<UInt8>, _ line: Range<Int>, _ header: PartHeader
    ) -> Bool {
        guard header.encodings.contains(.base64) else { return false }
        let text = source.trimmed(line)
        guard text.prefix(length).allSatisfy({ Base64.isDigit(source[$0]) }) else { return true }
        if text.count >= FileSignature.length * 4 / 3 { return false }
        // A word that somebody put before the body seldom is of whole groups.
        guard text.count % 4 == 0, let first = Base64.firstByte(source, text) else { return true }
        // A film (ISO 14496-12) begins with its length, and takes long to decode.
        if Base64.decode(source, text).starts(with: [0, 0]) { return false }
        return mayBeginFile(with: first) || isPrintable(first)
    }

    /// Whether a mail may begin with the byte.
    private static func isPrintable(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

    private static func mayBeginFile(with byte: UInt8) -> Bool {
        byte.isWhiteSpace || FileSignature.mayBegin(with: byte)
    }

    /// Scripts print line ends before the file that they send.
    private static func holdsFile(_ decoded: [UInt8]) -> Bool {
        let start = decoded.firstIndex { !$0.isWhiteSpace } ?? 0
        return FileSignature(decoded.span, at: start) != nil
    }

    private static func quotedPrintable(_ source: Span<UInt8>, _ line: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        QuotedPrintable.decodeLine(source, line, into: &decoded)
        return decoded
    }
}
