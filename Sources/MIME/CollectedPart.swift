package import Bytes

/// A part of interest: its header, and its body as it stands in the message, still encoded.
package struct CollectedPart: Sendable {
    /// As IMAP numbers parts (RFC 3501, 6.4.5); a file loose in the text of part 1 is `1!name`.
    package let number: String
    package let header: PartHeader
    package let kind: Kind
    /// The body without the line end that belongs to the delimiter behind it.
    package let body: Octets
    /// Whether the part was larger than the limit, so that its end is missing.
    package let isCut: Bool
    /// Whether the message lies in an mbox, where `From ` at a line start is quoted with `>`.
    package let isInMbox: Bool

    package enum Kind: Sendable, Hashable {
        case file
        /// An encoded message/rfc822, to be parsed once it is decoded.
        case message
        /// A piece of a message, to be joined with the others (RFC 2046, 5.2.2).
        case fragment
    }

    /// The ways to decode the body, the likeliest first. A sender's header may be wrong or stand
    /// twice; what the first bytes are is not in doubt.
    package var decodings: [BodyDecoding] {
        var decodings: [BodyDecoding] = []
        func add(_ decoding: BodyDecoding) {
            if !decodings.contains(decoding) { decodings.append(decoding) }
        }
        let start = (try? body.array(0..<512)) ?? []
        if kind == .message { add(messageDecoding) }
        let source = start.span
        let first = source.trimmed(0..<start.count).lowerBound
        let line = first..<source.endOfLine(from: first, limit: start.count)
        if let seen = BodyStart.ofFile(source, line) ?? BodyStart.ofMail(source, line, header) {
            add(seen)
        }
        for encoding in header.encodings { add(BodyDecoding(encoding)) }
        if decodings.contains(.base64) {
            add(.base64WithoutJunkLines)
            add(.base64InPieces)
        }
        if isInMbox, decodings.isEmpty || decodings.contains(.identity) {
            add(.unquotedFrom)
        }
        add(.identity)
        return decodings
    }
}

extension CollectedPart {
    /// A message that is said to be quoted-printable is so if its header is: there an `=` alone
    /// stands in parameters only.
    private var messageDecoding: BodyDecoding {
        if header.encodings.contains(.base64) { return .base64 }
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
}

/// One way to get a part's bytes out of its body.
package enum BodyDecoding: Sendable, Hashable {
    case identity
    /// As identity, less one `>` before `From ` at line starts: what mboxrd adds (and mboxo, before
    /// lines that had none).
    case unquotedFrom
    case base64
    /// Base64 less the lines that hold anything else: banners that gateways put between.
    case base64WithoutJunkLines
    /// Base64 that goes on behind padding.
    case base64InPieces
    case quotedPrintable
    case uuencode
    case yEnc

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
}
