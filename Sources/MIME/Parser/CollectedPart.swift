package import Bytes

/// A part of interest: its header, and its body as in the message, still encoded.
package struct CollectedPart: Sendable {
    /// The part number as in IMAP (RFC 3501, 6.4.5); a file within the text of part 1 is `1!name`.
    package let number: String
    package let header: PartHeader
    package internal(set) var kind: Kind
    /// The body without the line end that belongs to the next delimiter.
    package let body: SpooledBytes
    /// Whether the part exceeded the limit, so that its end is missing.
    package let isCut: Bool
    /// Whether the message is in an mbox, where `From ` at a line start is quoted with `>`.
    package let isInMbox: Bool
    /// The length of a header that the parser prepended to the body, because the body is encoded as
    /// that header declares.
    var headerLength = 0
    /// Whether it is the only body of a message.
    var isOnlyBody = false

    package enum Kind: Sendable, Hashable {
        case file
        /// An encoded message/rfc822, to be decoded and parsed.
        case message
        /// Text that must be decoded before it is searched for files and the source of messages.
        case encodedText
        /// A fragment of a message, to be joined with the others (RFC 2046, 5.2.2).
        case fragment
        /// Readable text, kept only on request.
        case text(TextForm)
        /// The header of a body stored elsewhere.
        case externalBody(ExternalBody)
    }

    /// Whether the body is empty or white space only.
    package var isEmpty: Bool {
        guard body.count <= 256, let bytes = try? body.array() else { return body.isEmpty }
        return bytes.allSatisfy(\.isWhiteSpace)
    }

    /// Whether the body was left out or deleted: a notice of failed delivery may contain only the
    /// header of a message, and Thunderbird deletes attachments.
    package var isLeftOut: Bool {
        header.mediaTypes.contains("text/x-moz-deleted")
            || isOnlyBody && isEmpty && !header.isTakenOut
    }

    /// The same part with another body.
    package func withBody(_ body: SpooledBytes) -> CollectedPart {
        CollectedPart(
            number: number, header: header, kind: kind, body: body, isCut: false,
            isInMbox: isInMbox)
    }

    /// The ways to decode the body, most likely first. The header may be wrong or occur twice; the
    /// first bytes are reliable. Unlikely decodings, which examine more of the body, are computed
    /// on demand.
    package var decodings: some Collection<BodyDecoding> {
        [true, false].lazy.flatMap {
            $0 ? likelyDecodings : kind == .encodedText ? [] : otherDecodings
        }
    }

    private var likelyDecodings: [BodyDecoding] {
        var decodings: [BodyDecoding] = []
        func add(_ decoding: BodyDecoding) {
            if !decodings.contains(decoding) { decodings.append(decoding) }
        }
        if kind == .fragment {
            let start = (try? body.array(0..<BodyDecoding.searched)) ?? []
            let isBase64 = BodyDecoding.looksLikeBase64(start.span)
            return [isBase64 == header.encodings.contains(.base64) ? declared : .identity]
        }
        if kind == .encodedText { return [declared] }
        if headerLength > 0 { return [.keeping(headerLength, encodedMultipart)] }
        let start = (try? body.array(0..<BodyDecoding.searched)) ?? []
        if kind == .message {
            add(messageDecoding)
        } else if let found = BodyDecoding.found(in: start.span, header) {
            // A uuencoded file contains `=`, so quoted-printable encodes it along with the
            // surrounding text, and leaves the first bytes of some archives as they are; the other
            // formats appear verbatim, whatever the header says.
            if header.encodings.contains(.quotedPrintable),
                found.isUUEncoded
                    || found == .identity && BodyDecoding.looksLikeQuotedPrintable(start.span)
            {
                add(.quotedPrintable)
            }
            // An mbox within an mbox has its first line quoted with `>`.
            let isQuoted = isInMbox && found == .identity && start.span.hasPrefix(">From ", at: 0)
            add(isQuoted ? .unquotedFrom : found)
        }
        for encoding in header.encodings { add(BodyDecoding(encoding)) }
        if isInMbox, decodings.isEmpty || decodings.contains(.identity) {
            add(.unquotedFrom)
        }
        if isInMbox, kind == .file {
            for decoding in CollectedPart.quotable where decodings.contains(decoding) {
                add(.unquoting(decoding))
            }
        }
        if decodings.isEmpty { add(.identity) }
        return decodings
    }

    /// Encodings in which a line may begin with `From `.
    private static let quotable: [BodyDecoding] = [.quotedPrintable, .uuencode, .yEnc]

    /// The first encoding that the header declares.
    private var declared: BodyDecoding {
        BodyDecoding(header.encodings.first { $0 != .identity } ?? .identity)
    }

    private var otherDecodings: [BodyDecoding] {
        guard headerLength == 0 else { return [] }
        let likely = likelyDecodings
        var decodings = likely
        func add(_ decoding: BodyDecoding) {
            if !decodings.contains(decoding) { decodings.append(decoding) }
        }
        let start = (try? body.array(0..<BodyDecoding.searched)) ?? []
        // VIOLATIONS.md, M37: the field is missing or wrong.
        let isBase64 = BodyDecoding.looksLikeBase64(start.span)
        if isBase64 { add(.base64) }
        if BodyDecoding.looksLikeQuotedPrintable(start.span) { add(.quotedPrintable) }
        if decodings.contains(.base64) {
            add(.base64WithoutJunkLines)
            add(.base64InPieces)
            if !isBase64 { add(.base64InMarkup(spacesArePluses: false)) }
            if !start.contains(UInt8(ascii: "+")) { add(.base64InMarkup(spacesArePluses: true)) }
        }
        if decodings.contains(.quotedPrintable) { add(.quotedPrintableWithoutLineEnds) }
        add(.identity)
        return Array(decodings.dropFirst(likely.count))
    }
}

extension CollectedPart {
    /// The encoding of a message, which its first lines show, whatever the header says
    /// (VIOLATIONS.md, M77).
    private var messageDecoding: BodyDecoding {
        let start = (try? body.array(0..<BodyDecoding.searched)) ?? []
        let source = start.span
        var first = source.trimmed(start.indices).lowerBound
        // VIOLATIONS.md, B17: a separator.
        if source.hasPrefix("From ", at: first) || source.hasPrefix(">From ", at: first) {
            first = source.endOfLine(from: first, limit: start.count)
        }
        let line = first..<source.endOfLine(from: first, limit: start.count)
        guard HeaderBlock.colon(in: source, line) == nil else {
            return isHeaderQuotedPrintable(source, from: first) ? .quotedPrintable : .identity
        }
        if let found = BodyDecoding.ofFile(source, first..<start.count) {
            return first == 0 ? found : .skipping(first, found)
        }
        // VIOLATIONS.md, M77: some encoders encode each byte.
        var text: [UInt8] = []
        QuotedPrintable.decodeLine(source, line, into: &text)
        if HeaderBlock.colon(in: text.span, text.indices) != nil { return .quotedPrintable }
        if BodyStart.isMailInBase64(source, line) || BodyDecoding.looksLikeBase64(source) {
            return .base64
        }
        return declared
    }

    /// Whether a header is encoded: the `=` of its parameters and encoded words are written as
    /// `=3D`. A header without `=` is encoded if it is declared to be.
    private func isHeaderQuotedPrintable(_ source: Span<UInt8>, from start: Int) -> Bool {
        var octets = 0
        var others = 0
        var position = start
        while position < source.count {
            let end = source.endOfLine(from: position, limit: source.count)
            let line = source.withoutLineEnding(position..<end)
            if line.isEmpty { break }
            for index in line where source[index] == UInt8(ascii: "=") {
                if source.hasPrefix("=3D", at: index) || index == line.upperBound - 1 {
                    octets += 1
                } else if index + 2 >= line.upperBound
                    || source[index + 1].hexadecimalValue == nil
                    || source[index + 2].hexadecimalValue == nil
                {
                    others += 1
                }
            }
            position = end
        }
        return octets > others
            || others == 0 && header.encodings.contains(.quotedPrintable)
    }

    /// The encoding after a prepended header: of a message in quoted-printable, or of a multipart.
    private var encodedMultipart: BodyDecoding {
        if !header.isMultipart { return .quotedPrintable }
        let start = (try? body.array(headerLength..<headerLength + 512)) ?? []
        let text = start.span.trimmed(0..<start.count)
        return start.span.hasPrefix("--", at: text.lowerBound) ? .quotedPrintable : .base64
    }
}
