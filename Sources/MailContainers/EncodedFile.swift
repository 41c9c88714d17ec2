package import Bytes
package import MIME
package import MailSource
package import Platform

/// A file in a text format, such as JSON or iCalendar: its header, and its encoded bytes within the
/// text. It is decoded on access.
package struct EncodedFile: Sendable {
    package let header: PartHeader
    private let encoded: SpooledBytes
    private let coding: Coding

    enum Coding {
        /// With white space anywhere.
        case base64
        /// The contents of a JSON string (RFC 8259, 7): base64 in any alphabet of RFC 4648.
        case base64InJSON
        /// The contents of a JSON string.
        case textInJSON
        /// The chunked transfer coding of HTTP (RFC 9112, 7.1).
        case chunked
        case identity
    }

    init(_ header: PartHeader, _ encoded: SpooledBytes, _ coding: Coding) {
        self.header = header
        self.encoded = encoded
        self.coding = coding
    }

    /// The number of encoded bytes; decoded, they are not more.
    package var encodedCount: Int { encoded.count }

    /// The kind of its contents.
    package func kind() throws(FileError) -> ContentKind {
        let start = try start()
        return ContentKind(start.span)
    }

    /// Its first bytes.
    func start() throws(FileError) -> [UInt8] {
        EncodedFile.decoded(try encoded.array(0..<ContentHead.length), coding)
    }

    /// The decoded bytes.
    package func body(_ spool: SpoolPolicy) throws(FileError) -> SpooledBytes {
        coding == .identity ? encoded : try decoded(spool)
    }

    private func decoded(_ spool: SpoolPolicy) throws(FileError) -> SpooledBytes {
        var writer = OctetsWriter(spool)
        var decoder = Decoder(coding)
        try encoded.forEachPiece { piece throws(FileError) in
            try writer.append(decoder.decode(piece))
            return !decoder.isDone
        }
        try writer.append(decoder.finish())
        return try writer.finish()
    }

    /// The bytes that a prefix decodes to.
    static func decoded(_ prefix: [UInt8], _ coding: Coding) -> [UInt8] {
        var decoder = Decoder(coding)
        return decoder.decode(prefix.span) + decoder.finish()
    }

    /// The state of decoding between two pieces.
    private struct Decoder {
        private let coding: Coding
        private var base64 = Base64()
        private var string = JSONString()
        private var chunks = HTTPChunks()

        init(_ coding: Coding) { self.coding = coding }

        var isDone: Bool { base64.isPadded || chunks.isDone }

        mutating func decode(_ piece: Span<UInt8>) -> [UInt8] {
            var decoded: [UInt8] = []
            switch coding {
            case .identity: for index in piece.indices { decoded.append(piece[index]) }
            case .base64: base64.decode(piece, piece.indices, into: &decoded)
            case .chunked: chunks.decode(piece, into: &decoded)
            case .textInJSON: string.decode(piece, into: &decoded)
            case .base64InJSON:
                var text: [UInt8] = []
                string.decode(piece, into: &text)
                let digits = text.map(Base64.digit(ofURL:))
                base64.decode(digits.span, digits.indices, into: &decoded)
            }
            return decoded
        }

        mutating func finish() -> [UInt8] {
            var decoded: [UInt8] = []
            base64.finish(into: &decoded)
            return decoded
        }
    }
}

/// Decodes the contents of a JSON string (RFC 8259, 7), in pieces.
struct JSONString {
    private var isEscape = false
    /// The number of hexadecimal digits of `\u` that follow, and their value.
    private var digitsLeft = 0
    private var value: UInt32 = 0
    /// The first half of a surrogate pair.
    private var high: UInt32?

    mutating func decode(_ piece: Span<UInt8>, into text: inout [UInt8]) {
        for index in piece.indices {
            let byte = piece[index]
            if digitsLeft > 0 {
                // Other characters are damage and count as zeros.
                value = value << 4 | UInt32(byte.hexadecimalValue ?? 0)
                digitsLeft -= 1
                if digitsLeft == 0 { append(value, to: &text) }
            } else if isEscape {
                isEscape = false
                if byte == UInt8(ascii: "u") {
                    (value, digitsLeft) = (0, 4)
                } else {
                    text.append(JSONString.character(byte))
                }
            } else if byte == UInt8(ascii: "\\") {
                isEscape = true
            } else {
                text.append(byte)
            }
        }
    }

    private static func character(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    private mutating func append(_ unit: UInt32, to text: inout [UInt8]) {
        var value = unit
        if (0xDC00..<0xE000).contains(unit), let high {
            value = 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00)
        }
        high = (0xD800..<0xDC00).contains(unit) ? unit : nil
        guard high == nil else { return }
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        text.append(contentsOf: scalar.utf8)
    }
}
