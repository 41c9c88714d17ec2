/// The header of an OpenPGP packet (RFC 9580, 4.2).
package struct OpenPGPPacket: Sendable {
    package enum Tag: UInt8, Sendable {
        case encryptedKey = 1
        case signature = 2
        case encryptedPassphrase = 3
        case onePassSignature = 4
        case compressed = 8
        case encrypted = 9
        case marker = 10
        case literal = 11
        case protectedData = 18
        case authenticatedData = 20
        case padding = 21
    }

    package enum Length: Sendable, Equatable {
        case bytes(Int)
        /// More of the body follows this part, with a length of its own.
        case partial(Int)
        /// Up to the end of the data.
        case indeterminate
    }

    package let tag: Tag
    package let length: Length
    /// The number of bytes before the body.
    package let headerLength: Int

    /// The longest header, in bytes.
    package static let longestHeader = 6

    /// Nil if the bytes do not begin with a packet that may be part of a message.
    package init?(_ bytes: Span<UInt8>, at start: Int) {
        guard start >= 0, start + 1 < bytes.count, bytes[start] & 0x80 != 0 else { return nil }
        let first = bytes[start]
        if first & 0x40 != 0 {
            guard let tag = Tag(rawValue: first & 0x3F),
                let (length, count) = OpenPGPPacket.length(bytes, at: start + 1)
            else { return nil }
            self.tag = tag
            self.length = length
            headerLength = 1 + count
            return
        }
        guard let tag = Tag(rawValue: first >> 2 & 0x0F) else { return nil }
        self.tag = tag
        let count = [1, 2, 4, 0][Int(first & 3)]
        headerLength = 1 + count
        guard count > 0 else {
            length = .indeterminate
            return
        }
        guard let value = OpenPGPPacket.number(bytes, at: start + 1, count) else { return nil }
        length = .bytes(value)
    }

    /// A length in the new format, and the number of bytes that it takes.
    package static func length(_ bytes: Span<UInt8>, at start: Int) -> (Length, count: Int)? {
        guard let first = number(bytes, at: start, 1) else { return nil }
        switch first {
        case 0..<192: return (.bytes(first), 1)
        case 192..<224:
            guard let second = number(bytes, at: start + 1, 1) else { return nil }
            return (.bytes((first - 192) << 8 + second + 192), 2)
        case 255: return number(bytes, at: start + 1, 4).map { (.bytes($0), 5) }
        default: return (.partial(1 << (first & 0x1F)), 1)
        }
    }

    private static func number(_ bytes: Span<UInt8>, at start: Int, _ count: Int) -> Int? {
        guard start >= 0, count <= bytes.count - start else { return nil }
        return (start..<start + count).reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }
}

extension OpenPGPPacket {
    /// Whether the bytes begin an OpenPGP message that is signed, compressed, literal or encrypted.
    /// The fields of its first packet are examined, since any byte may begin one.
    static func beginsMessage(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard let packet = OpenPGPPacket(bytes, at: start) else { return false }
        let body = bytes.extracting(min(start + packet.headerLength, bytes.count)..<bytes.count)
        let size: Int
        switch packet.length {
        case .bytes(let count), .partial(let count): size = count
        case .indeterminate: size = Int.max
        }
        switch packet.tag {
        case .onePassSignature: return packet.length == .bytes(13) && isOnePassSignature(body)
        case .compressed: return isCompressed(body)
        case .literal: return isLiteral(body, size)
        case .encryptedKey: return isEncryptedKey(body, size)
        case .encryptedPassphrase: return isEncryptedPassphrase(body, size)
        case .signature, .encrypted, .marker, .protectedData, .authenticatedData, .padding:
            return false
        }
    }

    /// Version 3, the type of a document, hash and public-key algorithms (RFC 9580, 5.4).
    private static func isOnePassSignature(_ body: Span<UInt8>) -> Bool {
        guard body.count >= 13 else { return false }
        return body[0] == 3 && body[1] <= 1 && (1...14).contains(body[2])
            && isPublicKey(body[3]) && body[12] <= 1
    }

    /// The algorithm, and the beginning of its data (RFC 9580, 5.6).
    private static func isCompressed(_ body: Span<UInt8>) -> Bool {
        guard body.count > 4 else { return false }
        switch body[0] {
        // A block of DEFLATE that is not stored: programs do not compress what does not shrink.
        case 1: return (2...5).contains(body[1] & 7)
        case 2:
            return body[1] == 0x78 && (Int(body[1]) << 8 | Int(body[2])) % 31 == 0
        case 3: return FileSignature(body, at: 1) == .bzip2
        default: return false
        }
    }

    /// The format, the name and the time (RFC 9580, 5.9).
    private static func isLiteral(_ body: Span<UInt8>, _ size: Int) -> Bool {
        guard body.count > 2, "btum".utf8.contains(body[0]) else { return false }
        let end = 2 + Int(body[1])
        guard end + 4 <= size else { return false }
        return (2..<min(end, body.count)).allSatisfy { body[$0] >= 0x20 && body[$0] != 0x7F }
    }

    /// The version, a key, the algorithm, and a number that fits (RFC 9580, 5.1).
    private static func isEncryptedKey(_ body: Span<UInt8>, _ size: Int) -> Bool {
        guard body.count >= 12, (24...4096).contains(size) else { return false }
        if body[0] == 6 { return body[1] == 21 || body[1] == 33 || body[1] == 0 }
        let bits = Int(body[10]) << 8 | Int(body[11])
        let end = 12 + (bits + 7) / 8
        return body[0] == 3 && isPublicKey(body[9]) && bits > 0
            && (body[9] <= 2 ? end == size : end < size)
    }

    /// The version, algorithms and a string-to-key specifier (RFC 9580, 5.3).
    private static func isEncryptedPassphrase(_ body: Span<UInt8>, _ size: Int) -> Bool {
        guard body.count > 4, (4...128).contains(size), (1...13).contains(body[1]) else {
            return false
        }
        switch (body[0], body[2]) {
        case (4, 0): return size == 4 && (1...14).contains(body[3])
        case (4, 1): return size >= 12 && (1...14).contains(body[3])
        case (4, 3): return size >= 13 && (1...14).contains(body[3])
        case (4, 4): return size >= 22
        case (5, _), (6, _): return size > 20
        default: return false
        }
    }

    private static func isPublicKey(_ algorithm: UInt8) -> Bool {
        [1, 2, 3, 16, 17, 18, 19, 22, 25, 26, 27, 28].contains(algorithm)
    }
}
