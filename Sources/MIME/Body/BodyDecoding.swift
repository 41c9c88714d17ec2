import Bytes
import MailSource

/// A way to decode the body of a part.
package indirect enum BodyDecoding: Sendable, Hashable {
    case identity
    /// Identity, with one `>` removed before `From ` at line starts, which mboxrd adds (and mboxo,
    /// to unquoted lines only). VIOLATIONS.md, B7.
    case unquotedFrom
    case base64
    /// Base64, skipping lines that contain anything else (VIOLATIONS.md, M53).
    case base64WithoutJunkLines
    /// Base64 that continues after padding.
    case base64InPieces
    /// Base64 in HTML, a URL or a string literal, in any alphabet of RFC 4648. VIOLATIONS.md, M55:
    /// spaces in place of `+`.
    case base64InMarkup(spacesArePluses: Bool)
    case quotedPrintable
    /// Quoted-printable in which all line ends were added in transit.
    case quotedPrintableWithoutLineEnds
    case uuencode
    case yEnc
    /// Another decoding after the same removal of `>`, which also affects encoded lines.
    case unquoting(BodyDecoding)
    /// Another decoding from an offset on, after text added before the encoded bytes
    /// (VIOLATIONS.md, M49).
    case skipping(Int, BodyDecoding)
    /// Another decoding from an offset on; the bytes before it are a header and are kept.
    case keeping(Int, BodyDecoding)

    init(_ encoding: TransferEncoding) {
        self =
            switch encoding {
            case .identity: .identity
            case .base64: .base64
            case .quotedPrintable: .quotedPrintable
            case .uuencode: .uuencode
            case .yEnc: .yEnc
            }
    }

    var isUUEncoded: Bool {
        if case .skipping(_, let inner) = self { return inner == .uuencode }
        return self == .uuencode
    }

    /// Whether the result may be encoded again.
    var mayBeRepeated: Bool {
        if case .keeping = self { return false }
        return self != .identity
    }

    /// The decoding of a file in a pass-carrying format that begins in these bytes. A format with
    /// its own name line counts only if the next line is one of the file's.
    static func ofFile(_ source: Span<UInt8>, _ range: Range<Int>) -> BodyDecoding? {
        let line =
            range.lowerBound..<source.endOfLine(from: range.lowerBound, limit: source.count)
        guard var file = LooseFile(source, line, isQuoted: false, isWanted: { _ in true }) else {
            return BodyStart.ofFile(source, range)
        }
        var position = line.upperBound
        while position < source.count, !file.isConfirmed {
            let next = position..<source.endOfLine(from: position, limit: source.count)
            if case .text = file.step(source, next) { return nil }
            position = next.upperBound
        }
        return file.isConfirmed ? file.decoding : nil
    }

    /// The encoding of decoded bytes that begin with an encoded file; nil if they do not.
    static func repeated(in source: Span<UInt8>) -> BodyDecoding? {
        // The reader of JSON knows its escapes.
        if TextSignature(source) == .json { return nil }
        let text = source.trimmed(source.indices)
        if let file = ofFile(source, text) {
            return file == .identity ? nil : file.inAlphabet(of: source, from: text.lowerBound)
        }
        return Base64File.start(in: source).map { start in
            let decoding = base64.inAlphabet(of: source, from: start)
            return start == 0 ? decoding : .skipping(start, decoding)
        }
    }

    /// The same, in the alphabet of the digits from `start` on.
    private func inAlphabet(of source: Span<UInt8>, from start: Int) -> BodyDecoding {
        self == .base64 && Base64File.isForURLs(source, from: start)
            ? .base64InMarkup(spacesArePluses: false) : self
    }

    /// The digits of a full line of base64, at least: encoders write 60 to 76.
    private static let fullLine = 60

    /// How much of a body is searched for the start of encoded bytes, in bytes.
    static let searched = 64 << 10

    /// The decoding of a file or message at the start of a body, or of a file that follows other
    /// text.
    static func found(in source: Span<UInt8>, _ header: PartHeader) -> BodyDecoding? {
        let first = source.trimmed(source.indices).lowerBound
        // Lines of base64 may be too short to recognise one by one.
        var decoding =
            ofFile(source, first..<source.count)
            ?? BodyStart.ofTar(source, from: first, header, isCut: false)
        var mail: BodyDecoding?
        // Text that begins with a Content- field is the rest of the header, cut off by a blank
        // line.
        if decoding == nil, !source.hasPrefix(caseInsensitive: "content-", at: first) {
            let line = first..<source.endOfLine(from: first, limit: source.count)
            decoding = BodyStart.ofMail(source, line, header)
            // A line that quotes a separator may precede the file.
            if FromLine.judge(source, at: first, isAtEnd: true) == .separatorAtStart {
                (mail, decoding) = (decoding, nil)
            }
        }
        if decoding == nil, mail == nil, let start = Base64File.start(in: source) {
            return .skipping(start, base64.inAlphabet(of: source, from: start))
        }
        if let decoding {
            return first == 0 || decoding == .base64 ? decoding : .skipping(first, decoding)
        }
        var position = first
        // A line inside base64 can look like the start of a file by chance. After two full lines of
        // equal length, it is part of the same base64 text.
        var (fullLines, width) = (0, 0)
        while position < source.count {
            let line = position..<source.endOfLine(from: position, limit: source.count)
            let text = source.trimmed(line)
            let isInBase64 = fullLines > 1 && text.count <= width
            if let decoding = ofFile(source, text), !isInBase64 || decoding != .base64 {
                return .skipping(text.lowerBound, decoding)
            }
            var index = isInBase64 ? min(text.lowerBound + 1, line.upperBound) : line.lowerBound
            let isFull =
                text.count >= fullLine && Base64.digitCount(source.extracting(text)) == text.count
                && !source.hasPrefix("=", at: text.upperBound - 1)
            fullLines = isFull ? (text.count == width ? fullLines + 1 : 1) : 0
            width = text.count
            while let place = source.firstIndex(of: UInt8(ascii: "U"), in: index..<line.upperBound)
            {
                // After `<pre>`, `base64,`, `b'` and the like, but never within base64.
                if place > 0, !Base64.isDigit(source[place - 1]),
                    source.hasPrefix("UEsDB", at: place)
                {
                    return .skipping(place, .base64)
                }
                index = place + 1
            }
            position = line.upperBound
        }
        return mail.map { first == 0 ? $0 : .skipping(first, $0) }
    }

    /// Whether the body consists of base64 digits only, and enough of them.
    static func looksLikeBase64(_ source: Span<UInt8>) -> Bool {
        Base64.digitCount(source) ?? 0 >= 32
    }

    /// Whether the body contains many octets in the encoding of RFC 2045, 6.7.
    static func looksLikeQuotedPrintable(_ source: Span<UInt8>) -> Bool {
        var octets = 0
        var position = 0
        while octets < 8,
            let place = source.firstIndex(of: UInt8(ascii: "="), in: position..<source.count)
        {
            if place + 2 < source.count, source[place + 1].hexadecimalValue != nil,
                source[place + 2].hexadecimalValue != nil
            {
                octets += 1
            }
            position = place + 1
        }
        return octets == 8
    }
}
