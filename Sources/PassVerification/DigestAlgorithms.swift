/// How many digests a SignedData (RFC 5652, 5.1) asks for. OpenSSL makes them all, of the whole
/// content, and does not say how many there are; a signature of one megabyte can ask for 80,000.
enum DigestAlgorithms {
    /// Nil when the bytes do not begin as a SignedData does.
    static func count(in signature: [UInt8]) -> Int? {
        var reader = BERReader(signature)
        guard reader.enter(0x30) != nil, reader.skip(0x06), reader.enter(0xa0) != nil,
            reader.enter(0x30) != nil, reader.skip(0x02), let end = reader.enter(0x31)
        else { return nil }
        var count = 0
        while !reader.isAt(end) {
            guard reader.skip(0x30) else { return nil }
            count += 1
        }
        return count
    }
}

/// Values of the Basic Encoding Rules (X.690, 8.1), from the first byte on.
private struct BERReader {
    /// Where the contents of a value end.
    enum End {
        case at(Int)
        /// At two zeros.
        case marked
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Goes into a value with this tag, and says where it ends.
    mutating func enter(_ tag: UInt8) -> End? {
        guard next() == tag, let first = next() else { return nil }
        if first == 0x80 { return .marked }
        var count = Int(first)
        if first > 0x80 {
            guard first <= 0x84 else { return nil }
            count = 0
            for _ in 0..<(first & 0x7f) {
                guard let byte = next() else { return nil }
                count = count << 8 | Int(byte)
            }
        }
        return count <= bytes.count - position ? .at(position + count) : nil
    }

    /// Goes past a value with this tag, if its length is given.
    mutating func skip(_ tag: UInt8) -> Bool {
        guard case .at(let end) = enter(tag) else { return false }
        position = end
        return true
    }

    func isAt(_ end: End) -> Bool {
        switch end {
        case .at(let end): position >= end
        case .marked: bytes[position...].starts(with: [0, 0])
        }
    }

    private mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }
}
