import Foundation

/// The format of source notes: little-endian 64-bit numbers.
extension Data {
    init(words: [UInt64]) {
        // `Data($0)` would copy byte by byte.
        self = unsafe words.map(\.littleEndian).withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return Data() }
            return unsafe Data(bytes: start, count: bytes.count)
        }
    }

    /// The numbers; an incomplete last one is ignored.
    var words: [UInt64] {
        unsafe withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { index in
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
                return UInt64(littleEndian: word)
            }
        }
    }
}
