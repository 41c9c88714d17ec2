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

    /// Whether a body of base64 begins so that its first lines, up to `limit`, do not tell: with something
    /// that is none, or with too few digits.
    static func isDoubtful(
        _ source: Span<UInt8>, _ line: Range<Int>, limit: Int, _ header: PartHeader
    ) -> Bool {
        guard header.encodings.contains(.base64) else { return false }
        let text = source.trimmed(line)
        let enough = FileSignature.length * 4 / 3
        guard text.prefix(length).allSatisfy({ Base64.isDigit(source[$0]) }) else { return true }
        if text.count >= enough { return false }
        // Lines of whole groups go on from one to the next; a word that somebody put before them does not.
        let head = line.lowerBound..<min(limit, line.lowerBound + 2 * length)
        guard Base64.digitCount(source.extracting(head)) ?? 0 >= enough,
            source.firstIndex(of: UInt8(ascii: "="), in: head) == nil
        else { return true }
        var start = head.lowerBound
        while let end = source.firstIndex(of: 0x0A, in: start..<head.upperBound) {
            guard source.trimmed(start..<end).count % 4 == 0 else { return true }
            start = end + 1
        }
        let decoded = Base64.decode(source, head)
        return holdsFile(decoded) || SourceKind(decoded.span).isMail
    }

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
