package import Bytes

/// A part of interest: its header, and its body as it stands in the message, still encoded.
package struct CollectedPart: Sendable {
    /// As IMAP numbers parts (RFC 3501, 6.4.5); a file loose in the text of part 1 is `1!name`.
    package let number: String
    package let header: PartHeader
    package let kind: Kind
    /// The body without the line end that belongs to the delimiter behind it.
    package let body: SpooledBytes
    /// Whether the part was larger than the limit, so that its end is missing.
    package let isCut: Bool
    /// Whether the message lies in an mbox, where `From ` at a line start is quoted with `>`.
    package let isInMbox: Bool
    /// How much of the body is a header that it got here, because its own says how it is written.
    var headerLength = 0

    package enum Kind: Sendable, Hashable {
        case file
        /// An encoded message/rfc822, to be parsed once it is decoded.
        case message
        /// A piece of a message, to be joined with the others (RFC 2046, 5.2.2).
        case fragment
        /// Text that people read, kept only for who asks for it.
        case text(TextForm)
        /// The header of a body that lies elsewhere.
        case externalBody(ExternalBody)
    }

    /// Whether there is no body, or one of white space alone.
    package var isEmpty: Bool {
        guard body.count <= 256, let bytes = try? body.array() else { return body.isEmpty }
        return bytes.allSatisfy(\.isWhiteSpace)
    }

    /// The same part with a body that stood elsewhere.
    package func withBody(_ body: SpooledBytes) -> CollectedPart {
        CollectedPart(
            number: number, header: header, kind: kind, body: body, isCut: false,
            isInMbox: isInMbox)
    }

    /// The ways to decode the body, the likeliest first. A sender's header may be wrong or stand
    /// twice; what the first bytes are is not in doubt. Those that are seldom right, and take a look at
    /// more of the body, are made when it is their turn.
    package var decodings: some Collection<BodyDecoding> {
        [true, false].lazy.flatMap { $0 ? likelyDecodings : otherDecodings }
    }

    private var likelyDecodings: [BodyDecoding] {
        var decodings: [BodyDecoding] = []
        func add(_ decoding: BodyDecoding) {
            if !decodings.contains(decoding) { decodings.append(decoding) }
        }
        if headerLength > 0 { return [.keeping(headerLength, encodedMultipart)] }
        let start = (try? body.array(0..<BodyDecoding.searched)) ?? []
        if kind == .message {
            add(messageDecoding)
        } else if let found = BodyDecoding.found(in: start.span, header) {
            // A uuencoded file holds `=` and is encoded with the text that it lies in; the others are
            // there as they are, whatever is said.
            if found.isUUEncoded, header.encodings.contains(.quotedPrintable) {
                add(.quotedPrintable)
            }
            // A mailbox that lies in an mbox has got a `>` before its first line with all others.
            let isQuoted = isInMbox && found == .identity && start.span.hasPrefix(">From ", at: 0)
            add(isQuoted ? .unquotedFrom : found)
        }
        for encoding in header.encodings { add(BodyDecoding(encoding)) }
        if isInMbox, decodings.isEmpty || decodings.contains(.identity) {
            add(.unquotedFrom)
        }
        if decodings.isEmpty { add(.identity) }
        return decodings
    }

    private var otherDecodings: [BodyDecoding] {
        guard headerLength == 0 else { return [] }
        let likely = likelyDecodings
        var decodings = likely
        func add(_ decoding: BodyDecoding) {
            if !decodings.contains(decoding) { decodings.append(decoding) }
        }
        let start = (try? body.array(0..<BodyDecoding.searched)) ?? []
        // RFC 2045, 6.1 has an unnamed encoding be none; senders forget the field, and misspell it.
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
    /// A message that is said to be quoted-printable is so if its header is: there an `=` alone
    /// stands in parameters only.
    private var messageDecoding: BodyDecoding {
        if header.encodings.contains(.base64) { return .base64 }
        if header.encodings.contains(.uuencode) { return .uuencode }
        let start = (try? body.array(0..<64 << 10)) ?? []
        let source = start.span
        var position = source.trimmed(0..<start.count).lowerBound
        while position < start.count {
            let end = source.endOfLine(from: position, limit: start.count)
            let line = source.trimmed(position..<end)
            if line.isEmpty { break }
            if source[line.upperBound - 1] == UInt8(ascii: "=") { return .quotedPrintable }
            for index in line where source.hasPrefix("=3D", at: index) { return .quotedPrintable }
            if source.firstIndex(of: UInt8(ascii: "="), in: line) != nil { return .identity }
            position = end
        }
        return .quotedPrintable
    }

    /// How a multipart is encoded of which only encoded ones are kept.
    private var encodedMultipart: BodyDecoding {
        let start = (try? body.array(headerLength..<headerLength + 512)) ?? []
        let text = start.span.trimmed(0..<start.count)
        return start.span.hasPrefix("--", at: text.lowerBound) ? .quotedPrintable : .base64
    }
}
