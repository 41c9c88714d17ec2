import Bytes

/// One way to get a part's bytes out of its body.
package indirect enum BodyDecoding: Sendable, Hashable {
    case identity
    /// As identity, less one `>` before `From ` at line starts: what mboxrd adds (and mboxo, before
    /// lines that had none).
    case unquotedFrom
    case base64
    /// Base64 less the lines that hold anything else: banners that gateways put between.
    case base64WithoutJunkLines
    /// Base64 that goes on behind padding.
    case base64InPieces
    /// Base64 in HTML, in a URL or in a string of some language, in any alphabet of RFC 4648; spaces
    /// stand for `+` where a form was decoded once too often.
    case base64InMarkup(spacesArePluses: Bool)
    case quotedPrintable
    /// Quoted-printable whose line ends were all put there on the way.
    case quotedPrintableWithoutLineEnds
    case uuencode
    case yEnc
    /// One of the others from a place on: behind what somebody put before the encoded bytes.
    case skipping(Int, BodyDecoding)
    /// One of the others from a place on, with what stands before it, which is a header.
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

    /// Whether what it gives may be encoded once more.
    var mayBeRepeated: Bool {
        if case .keeping = self { return false }
        return self != .identity
    }

    /// The decoding of a file in which a pass may travel that begins in these bytes; of one that brings
    /// a name, the line behind it is there and is one of its lines.
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

    /// How much of a body is searched for the place where its encoded bytes begin, in bytes.
    static let searched = 64 << 10

    /// The decoding of a file or a mail that begins at the start of a body, or of a file that begins
    /// further on in it, behind what somebody put there.
    static func found(in source: Span<UInt8>, _ header: PartHeader) -> BodyDecoding? {
        let first = source.trimmed(source.indices).lowerBound
        // Lines of base64 may be too narrow to tell one by one.
        var decoding = ofFile(source, first..<source.count)
        // What begins with a field of a part is the rest of its header, cut off by a blank line.
        if decoding == nil, !source.hasPrefix(caseInsensitive: "content-", at: first) {
            let line = first..<source.endOfLine(from: first, limit: source.count)
            decoding = BodyStart.ofMail(source, line, header)
        }
        if let decoding {
            return first == 0 || decoding == .base64 ? decoding : .skipping(first, decoding)
        }
        var position = first
        while position < source.count {
            let line = position..<source.endOfLine(from: position, limit: source.count)
            let text = source.trimmed(line)
            if let decoding = ofFile(source, text) {
                return .skipping(text.lowerBound, decoding)
            }
            var index = line.lowerBound
            while let place = source.firstIndex(of: UInt8(ascii: "U"), in: index..<line.upperBound)
            {
                // Behind `<pre>`, `base64,`, `b'` and the like, and never in the midst of base64.
                if place > 0, !Base64.isDigit(source[place - 1]),
                    source.hasPrefix("UEsDB", at: place)
                {
                    return .skipping(place, .base64)
                }
                index = place + 1
            }
            position = line.upperBound
        }
        return nil
    }

    /// Whether the lines of a body hold digits of base64 only, and enough of them.
    static func looksLikeBase64(_ source: Span<UInt8>) -> Bool {
        Base64.digitCount(source) ?? 0 >= 32
    }

    /// Whether a body is full of octets as RFC 2045, 6.7 writes them.
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
