import Bytes
import MailSource

/// An encoded file within the text of a part. Its end is recognised by its lines.
/// VIOLATIONS.md, M59: no end line.
struct LooseFile {
    let name: String
    /// Whether its first data line was that of an archive, or of any file with a wanted name.
    private(set) var isConfirmed = false

    private let encoding: Encoding
    private let isWanted: Bool
    /// Whether the text is quoted-printable, so that lines of text are not lines of the file.
    private let isQuoted: Bool

    private enum Encoding { case uuencode, base64, yEnc, armor }

    /// The role of a line in the file.
    enum Step {
        /// A line of the file.
        case keep
        /// The last line of the file.
        case last
        /// A blank line before the first line of the file.
        case skip
        /// Text after the file, or instead of it.
        case text
    }

    /// Nil if the line does not begin a file.
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
        } else if LooseFile.isArmor(bytes.span, at: 0) {
            encoding = .armor
            raw = []
            isConfirmed = true
        } else {
            return nil
        }
        name = PartHeader.fileName(EncodedWords.decode(raw)) ?? ""
        self.isQuoted = isQuoted
        self.isWanted = isWanted(name)
    }

    /// Whether a line begins a message of OpenPGP in ASCII armor (RFC 9580, 6.2).
    static func isArmor(_ source: Span<UInt8>, at line: Int) -> Bool {
        source.hasPrefix("-----BEGIN PGP MESSAGE", at: line)
    }

    /// The start of an armor behind tags at the start of a page: `<html><body>-----BEGIN ...`.
    static func armorBehindTags(_ source: Span<UInt8>, _ line: Range<Int>) -> Int? {
        guard let first = line.first, source[first] == UInt8(ascii: "<") else { return nil }
        var position = first
        let end = min(line.upperBound, first + longestTags)
        while let place = source.firstIndex(of: UInt8(ascii: "-"), in: position..<end) {
            if isArmor(source, at: place) { return place }
            position = place + 1
        }
        return nil
    }

    /// The length of the tags that may precede an armor on its line, in bytes.
    private static let longestTags = 256

    /// Whether it is a message of OpenPGP, which has no name.
    var isArmor: Bool { encoding == .armor }

    /// The decoding of the file.
    var decoding: BodyDecoding {
        switch encoding {
        case .uuencode, .base64: .uuencode
        case .yEnc: .yEnc
        case .armor: .identity
        }
    }

    mutating func step(_ source: Span<UInt8>, _ line: Range<Int>) -> Step {
        if source.trimmed(line).isEmpty { return isConfirmed ? .keep : .skip }
        if isConfirmed {
            if isEnd(source, line) { return .last }
            // A line cut by the reader cannot be judged.
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
        case .armor: source.hasPrefix("-----END PGP", at: source.trimmed(line).lowerBound)
        case .yEnc:
            source.hasPrefix("=yend", at: source.trimmed(line).lowerBound)
                || isQuoted && source.hasPrefix("=3Dyend", at: source.trimmed(line).lowerBound)
        }
    }

    private func isArchive(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard isQuoted else { return isDecodedArchive(source, line) }
        var text: [UInt8] = []
        QuotedPrintable.decodeLine(source, line, into: &text)
        return isDecodedArchive(text.span, text.indices) || isDecodedArchive(source, line)
    }

    private func isDecodedArchive(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch encoding {
        case .uuencode: UUEncoding.isArchive(source, line) || isFile(source, line)
        case .base64: source.hasPrefix("UEsDB", at: line.lowerBound) || isFile(source, line)
        case .yEnc: YEnc.isArchive(source, line)
        case .armor: true
        }
    }

    /// Whether a line holds the first bytes of a message or archive attached as a file.
    private func isFile(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var start: [UInt8] = []
        if encoding == .base64 {
            start = Base64.decode(source, source.trimmed(line))
        } else {
            UUEncoding.decodeLine(source, line, into: &start)
        }
        return MailFormat(start.span) != nil || FileSignature(start.span) != nil
    }

    /// Whether a line can be the first data line of a file with a wanted name.
    private func isFirst(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch encoding {
        case .yEnc, .armor: return false
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
        case .armor: isLineOfArmor(source, source.trimmedOfBreak(line))
        }
    }

    /// Whether a line is a field of an armor, or digits. In HTML, each ends in `<br>`.
    private func isLineOfArmor(_ source: Span<UInt8>, _ text: Range<Int>) -> Bool {
        text.allSatisfy { Base64.isDigit(source[$0]) }
            || source.firstIndex(of: UInt8(ascii: ":"), in: text) != nil
    }
}
