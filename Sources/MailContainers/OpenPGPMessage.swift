package import Bytes
import MIME
package import Platform

/// The contents of an OpenPGP message (RFC 9580, 10.3) that is not encrypted. Signatures are not
/// verified: the signer of a message does not matter for the passes in it.
package enum OpenPGPMessage: Sendable {
    /// The data, named as in the message.
    case literal(EncodedFile)
    /// Another message, compressed with an algorithm of RFC 9580, 9.4.
    case compressed(Algorithm, SpooledBytes)
    case encrypted

    package enum Algorithm: UInt8, Sendable {
        case deflate = 1
        case zlib = 2
        case bzip2 = 3
    }

    /// Packets before the data: a signature for each signer. More are damage.
    private static let packets = 100

    /// Nil if the octets are damaged before their data begins.
    package init?(_ octets: SpooledBytes, spool: SpoolPolicy) throws(FileError) {
        var octets = octets
        if OpenPGPArmor.begins(try octets.array(0..<64)) {
            octets = try OpenPGPArmor.decoded(octets, spool)
        }
        var position = 0
        for _ in 0..<OpenPGPMessage.packets {
            let head = try octets.array(position..<position + OpenPGPPacket.longestHeader)
            guard let packet = OpenPGPPacket(head.span, at: 0) else { return nil }
            let start = position + packet.headerLength
            switch packet.tag {
            case .onePassSignature, .signature, .marker, .padding:
                guard case .bytes(let length) = packet.length,
                    length <= octets.count - start
                else { return nil }
                position = start + length
            case .literal:
                let body = try OpenPGPMessage.body(octets, packet, start, spool)
                guard let file = try OpenPGPMessage.file(body) else { return nil }
                self = .literal(file)
                return
            case .compressed:
                let body = try OpenPGPMessage.body(octets, packet, start, spool)
                guard let first = try body.array(0..<1).first,
                    let algorithm = Algorithm(rawValue: first)
                else { return nil }
                self = .compressed(algorithm, body.slice(1..<body.count))
                return
            case .encryptedKey, .encryptedPassphrase, .encrypted, .protectedData,
                .authenticatedData:
                self = .encrypted
                return
            }
        }
        return nil
    }

    /// The body of a packet: a range of the octets, or its parts joined. It may be truncated.
    private static func body(
        _ octets: SpooledBytes, _ packet: OpenPGPPacket, _ start: Int, _ spool: SpoolPolicy
    ) throws(FileError) -> SpooledBytes {
        var length = packet.length
        var start = start
        var writer = OctetsWriter(spool)
        while case .partial(let count) = length {
            try append(octets.slice(start..<start + count), to: &writer)
            start += count
            let next = try octets.array(start..<start + OpenPGPPacket.longestHeader)
            guard let (following, size) = OpenPGPPacket.length(next.span, at: 0) else {
                return try writer.finish()
            }
            length = following
            start += size
        }
        let end: Int
        if case .bytes(let count) = length {
            end = start + min(count, max(octets.count - start, 0))
        } else {
            end = max(octets.count, start)
        }
        let rest = octets.slice(start..<end)
        guard case .partial = packet.length else { return rest }
        try append(rest, to: &writer)
        return try writer.finish()
    }

    private static func append(
        _ octets: SpooledBytes, to writer: inout OctetsWriter
    ) throws(FileError) {
        let pieceSize = 256 << 10
        for start in stride(from: 0, to: octets.count, by: pieceSize) {
            try writer.append(try octets.array(start..<start + pieceSize))
        }
    }

    /// The file in the body of a literal packet (RFC 9580, 5.9).
    private static func file(_ body: SpooledBytes) throws(FileError) -> EncodedFile? {
        let head = try body.array(0..<2 + 255)
        guard head.count > 2 else { return nil }
        let end = 2 + Int(head[1])
        guard end + 4 <= body.count, end <= head.count else { return nil }
        let name = PartHeader.fileName(Charset.guess(Array(head[2..<end])))
        return EncodedFile(
            PartHeader(names: name.map { [$0] } ?? []), body.slice(end + 4..<body.count), .identity)
    }
}

/// ASCII armor of OpenPGP (RFC 9580, 6.2). The checksum is optional and is not verified.
enum OpenPGPArmor {
    static func begins(_ bytes: [UInt8]) -> Bool {
        bytes.span.hasPrefix("-----BEGIN PGP MESSAGE", at: 0)
    }

    static func decoded(
        _ octets: SpooledBytes, _ spool: SpoolPolicy
    ) throws(FileError) -> SpooledBytes {
        var writer = OctetsWriter(spool)
        var base64 = Base64()
        var reader = LineReader()
        reader.open(ByteSource(octets))
        var isInHeader = true
        var isDone = false
        while !isDone {
            var decoded: [UInt8] = []
            let more = try reader.next { bytes, _ in
                var position = 0
                while position < bytes.count, !isDone {
                    let line = position..<bytes.endOfLine(from: position, limit: bytes.count)
                    let text = bytes.trimmedOfBreak(line)
                    position = line.upperBound
                    if isInHeader {
                        // VIOLATIONS.md, Z19: no blank line after the header.
                        let isField = bytes.firstIndex(of: UInt8(ascii: ":"), in: text) != nil
                        let isFirst = bytes.hasPrefix("-----", at: text.lowerBound)
                        isInHeader = !text.isEmpty && (isField || isFirst)
                    }
                    guard !isInHeader, !text.isEmpty else { continue }
                    let first = bytes[text.lowerBound]
                    isDone = first == UInt8(ascii: "=") || first == UInt8(ascii: "-")
                    if !isDone { base64.decode(bytes, text, into: &decoded) }
                }
                return bytes.count
            }
            try writer.append(decoded)
            if !more { break }
        }
        var rest: [UInt8] = []
        base64.finish(into: &rest)
        try writer.append(rest)
        return try writer.finish()
    }
}
