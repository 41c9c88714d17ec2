package import Bytes
package import Platform

extension CollectedPart {
    /// Calls `take` with the text as UTF-8, in pieces, once for each encoding that the header
    /// names. Skips parts that turn out to be files or messages.
    package func readText(
        _ form: TextForm, spool: SpoolPolicy, _ take: (Span<UInt8>) -> Void
    ) throws(FileError) {
        if !form.isFolded, try isOther() { return }
        var decodings: [BodyDecoding] = []
        for encoding in header.encodings where !decodings.contains(BodyDecoding(encoding)) {
            decodings.append(BodyDecoding(encoding))
        }
        if decodings.isEmpty { decodings = [.identity] }
        for decoding in decodings {
            let text = try BodyDecoder.decode(body, decoding, spool: spool, isText: true)
            try text.readText(form, take)
        }
    }

    private func isOther() throws(FileError) -> Bool {
        let start = try body.array(0..<512)
        let source = start.span
        let first = source.trimmed(0..<start.count).lowerBound
        let line = first..<source.endOfLine(from: first, limit: start.count)
        switch BodyStart.ofFile(source, line) {
        case .uuencode, .yEnc, nil:
            // Text in UTF-16 or UTF-32 may be mail, but is searched in any case.
            let isEncoded = header.encodings.contains(.base64)
            let text = isEncoded ? Base64.decode(source, line.prefix(64)) : Array(start.prefix(48))
            if TextForm.wideCharset(of: text) != nil { return false }
            return BodyStart.ofMail(source, line, header) != nil
        default: return true
        }
    }
}

extension SpooledBytes {
    /// Calls `take` with the text as UTF-8, in pieces.
    package func readText(
        _ form: TextForm, _ take: (Span<UInt8>) -> Void
    ) throws(FileError) {
        var reader = TextReader(form, start: try array(0..<512))
        try forEachPiece(skipsHoles: true) { piece throws(FileError) in
            reader.feed(piece, take)
            return true
        }
        reader.finish(take)
    }
}

/// Converts a text to UTF-8, piece by piece. ASCII text, the most common, is passed through.
private struct TextReader {
    private let charset: String
    private let units: Units
    private var lines: FlowedLines?
    /// The incomplete last character or line.
    private var rest: [UInt8] = []

    /// Where a text can be split for conversion.
    private enum Units {
        /// After a line; ASCII characters are single bytes with their usual meaning.
        case lines
        /// After a line, but ASCII characters may encode others (RFC 2152).
        case encodedLines
        /// At a multiple of four bytes.
        case wide
    }

    private static let longest = 64 << 10

    init(_ form: TextForm, start: [UInt8]) {
        var name = form.charset.asciiLowercased
        // VIOLATIONS.md, M104: files of Windows, attached without their charset.
        if ["", "us-ascii"].contains(name),
            ByteOrderMark(start)?.isUTF16 == true || start.prefix(2).contains(0)
        {
            name = TextForm.isUTF32(start) ? "utf-32" : "utf-16"
        }
        func begins(_ words: String...) -> Bool { words.contains { name.hasPrefix($0) } }
        if begins("utf-16", "utf16", "utf-32", "utf32", "ucs-", "iso-10646-ucs") {
            // VIOLATIONS.md, M105: 8-bit text under such a name. Text in wide units always contains
            // zeros.
            let isWide = start.contains(0)
            units = isWide ? .wide : .lines
            charset = isWide ? TextReader.wide(name, start) : ""
        } else if let wide = TextForm.wideCharset(of: start) {
            units = .wide
            charset = TextReader.wide(wide, start)
        } else if begins("utf-7", "utf7", "unicode-1-1-utf-7") {
            units = .encodedLines
            charset = "utf-7"
        } else {
            units = .lines
            charset = form.charset
        }
        lines =
            form.joinsLines || form.isFlowed
            ? FlowedLines(deletesSpaces: form.joinsLines) : nil
    }

    /// The UTF-16 or UTF-32 charset with the byte order in its name. By RFC 2781, 4.3 the byte
    /// order mark decides, and without one the text is big-endian. VIOLATIONS.md, M104: the
    /// positions of the zero bytes of ASCII decide.
    private static func wide(_ name: String, _ start: [UInt8]) -> String {
        let isQuad =
            start.count < 8
            ? CharsetLabel.holds(name, "32") || CharsetLabel.holds(name, "ucs-4")
            : TextForm.isUTF32(start)
        if name.hasSuffix("le") || name.hasSuffix("be") {
            return (isQuad ? "utf-32" : "utf-16") + name.suffix(2)
        }
        let size = isQuad ? 4 : 2
        func zeros(_ place: Int) -> Int {
            stride(from: place, to: start.count, by: size).count { start[$0] == 0 }
        }
        let isLittle =
            switch ByteOrderMark(start) {
            case .utf16BigEndian: false
            case .utf16LittleEndian: true
            case .utf8, nil: zeros(size - 1) > zeros(0)
            }
        return (isQuad ? "utf-32" : "utf-16") + (isLittle ? "le" : "be")
    }

    mutating func feed(_ piece: Span<UInt8>, _ take: (Span<UInt8>) -> Void) {
        if rest.isEmpty, units == .lines, piece.isASCII {
            hand(piece, take)
            return
        }
        unsafe piece.withUnsafeBufferPointer { unsafe rest.append(contentsOf: $0) }
        let end: Int
        switch units {
        case .wide: end = rest.count & ~3
        default:
            let line = rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            end = line ?? (rest.count > TextReader.longest ? rest.count : 0)
        }
        guard end > 0 else { return }
        convert(Array(rest[..<end]), take)
        rest.removeFirst(end)
    }

    mutating func finish(_ take: (Span<UInt8>) -> Void) {
        if !rest.isEmpty { convert(rest, take) }
        rest = []
        lines?.finish { take($0.span) }
    }

    private mutating func convert(_ bytes: [UInt8], _ take: (Span<UInt8>) -> Void) {
        if units == .lines, bytes.span.isASCII {
            hand(bytes.span, take)
        } else {
            hand(Array(Charset.decode(bytes, charset).utf8).span, take)
        }
    }

    private mutating func hand(_ text: Span<UInt8>, _ take: (Span<UInt8>) -> Void) {
        if lines == nil {
            take(text)
        } else {
            lines?.feed(text) { take($0.span) }
        }
    }
}

extension Span<UInt8> {
    fileprivate var isASCII: Bool {
        for index in indices where self[index] >= 0x80 { return false }
        return true
    }
}
