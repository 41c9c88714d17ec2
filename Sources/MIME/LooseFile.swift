import Bytes
import MailSource

/// An encoded file that lies in the text of a part. Its lines tell where it ends: the line that says so
/// is lost in some.
struct LooseFile {
    let name: String
    /// Whether its first line was one, of a file that is wanted.
    private(set) var isConfirmed = false

    private let encoding: Encoding
    private let isWanted: Bool
    /// Whether the text is quoted-printable, so that the lines of the file are not those of the text.
    private let isQuoted: Bool

    private enum Encoding { case uuencode, base64, yEnc }

    /// What a line is to the file.
    enum Step {
        /// One of its lines.
        case keep
        /// Its last line.
        case last
        /// A blank line before its first.
        case skip
        /// Text behind it, or in place of it.
        case text
    }

    /// The file that a line begins, if it is one.
    init?(
        _ source: Span<UInt8>, _ line: Range<Int>, isQuoted: Bool, isWanted: (String) -> Bool
    ) {
        var bytes: [UInt8] = []
        if isQuoted {
            QuotedPrintable.decodeLine(source, line, into: &bytes)
        } else {
            for index in line { bytes.append(source[index]) }
        }
        let whole = 0..<bytes.count
        let raw: [UInt8]
        if let name = UUEncoding.name(bytes.span, whole) {
            encoding = UUEncoding.isBase64(bytes.span, whole) ? .base64 : .uuencode
            raw = name
        } else if let name = YEnc.name(bytes.span, whole) {
            encoding = .yEnc
            raw = name
        } else {
            return nil
        }
        name = PartHeader.fileName(EncodedWords.decode(raw)) ?? ""
        self.isQuoted = isQuoted
        self.isWanted = isWanted(name)
    }

    /// How its text is decoded.
    var decoding: BodyDecoding { encoding == .yEnc ? .yEnc : .uuencode }

    mutating func step(_ source: Span<UInt8>, _ line: Range<Int>) -> Step {
        if source.trimmed(line).isEmpty { return isConfirmed ? .keep : .skip }
        if isConfirmed {
            if isEnd(source, line) { return .last }
            // The reader cuts a line that is too long for it; of a piece nothing can be said.
            let isWhole = source[line.upperBound - 1] == UInt8(ascii: "\n")
            return isQuoted || !isWhole || isData(source, line) ? .keep : .text
        }
        if encoding == .yEnc, source.hasPrefix("=ypart ", at: line.lowerBound) { return .keep }
        isConfirmed = isArchive(source, line) || isWanted && isFirst(source, line)
        return isConfirmed ? .keep : .text
    }

    private func isEnd(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch encoding {
        case .uuencode, .base64: UUEncoding.isEnd(source, line)
        case .yEnc: source.hasPrefix("=yend", at: source.trimmed(line).lowerBound)
        }
    }

    private func isArchive(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch encoding {
        case .uuencode: UUEncoding.isArchive(source, line) || !isQuoted && isMail(source, line)
        case .base64: source.hasPrefix("UEsDB", at: line.lowerBound) || isMail(source, line)
        case .yEnc: YEnc.isArchive(source, line)
        }
    }

    /// Whether a line holds the first of a mail that somebody sent on as a file.
    private func isMail(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var start: [UInt8] = []
        if encoding == .base64 {
            start = Base64.decode(source, source.trimmed(line))
        } else {
            UUEncoding.decodeLine(source, line, into: &start)
        }
        return SourceKind(start.span).isMail
    }

    /// Whether a line can be the first of a file whose name speaks for it.
    private func isFirst(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch encoding {
        case .yEnc: return false
        case .base64: return isData(source, line)
        case .uuencode:
            guard isQuoted else { return UUEncoding.isData(source, line, lost: 8) }
            var text: [UInt8] = []
            QuotedPrintable.decodeLine(source, line, into: &text)
            return source[source.trimmed(line).upperBound - 1] == UInt8(ascii: "=")
                || UUEncoding.isData(text.span, 0..<text.count, lost: 8)
        }
    }

    private func isData(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch encoding {
        case .uuencode: UUEncoding.isLine(source, line)
        case .base64: source.trimmed(line).allSatisfy { Base64.isDigit(source[$0]) }
        case .yEnc: true
        }
    }
}
