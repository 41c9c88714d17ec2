/// Recognises files of old Macs that have no magic number.
package enum MacSignature {
    /// The length of a MacBinary header, in bytes.
    package static let headerLength = 128

    /// Whether the bytes begin with a MacBinary header. MacBinary II and III have a checksum. In
    /// the first version, the fields of the later ones are zero.
    package static func isMacBinary(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= headerLength, bytes[0] == 0, (1...63).contains(bytes[1]),
            bytes[74] == 0
        else { return false }
        let header = bytes.extracting(0..<headerLength)
        if Int(header[124]) << 8 | Int(header[125]) == checksum(header.extracting(0..<124)) {
            return true
        }
        guard header[82] == 0 else { return false }
        for index in 99..<headerLength where header[index] != 0 { return false }
        return true
    }

    /// Whether bytes that are fewer than a MacBinary header may begin one: the name, after its
    /// length, and the zeros behind it.
    package static func mayBeginMacBinary(_ bytes: Span<UInt8>, at start: Int = 0) -> Bool {
        guard bytes.count - start >= 40, bytes[start] == 0, (1...32).contains(bytes[start + 1])
        else { return false }
        let end = start + 2 + Int(bytes[start + 1])
        return (start + 2..<end).allSatisfy { bytes[$0] > 0x1F }
            && (end..<min(start + 65, bytes.count)).allSatisfy { bytes[$0] == 0 }
    }

    /// Whether a line announces a BinHex stream (RFC 1741, appendix A).
    package static func isBinHex(_ bytes: Span<UInt8>) -> Bool {
        var position = 0
        while let found = bytes.firstIndex(of: UInt8(ascii: "("), in: position..<bytes.count) {
            let beginsLine = found == 0 || bytes[found - 1] == 0x0A || bytes[found - 1] == 0x0D
            if beginsLine, isBinHexMarker(bytes, at: found) { return true }
            position = found + 1
        }
        return false
    }

    /// VIOLATIONS.md, Z12: without "with BinHex 4.0)" at the end.
    package static func isBinHexMarker(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        bytes.hasPrefix("(This file must be converted", at: start)
    }

    /// The checksum of a MacBinary or BinHex header: CRC-16-CCITT, high bit first, initial value 0.
    package static func checksum(_ bytes: Span<UInt8>) -> Int {
        var sum = 0 as UInt16
        for index in bytes.indices {
            sum ^= UInt16(bytes[index]) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
        return Int(sum)
    }
}
