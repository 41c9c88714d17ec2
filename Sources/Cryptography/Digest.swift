package import Bytes
import CCrypto
package import Platform

/// Digests, in lower-case hexadecimal digits where nothing else is said.
package enum Digest {
    package static func sha256(_ octets: SpooledBytes) throws(FileError) -> String {
        var hash = Hash(.sha256)
        try octets.forEachPiece { piece throws(FileError) in
            hash.add(piece)
            return true
        }
        return hash.finish()
    }

    /// The digest from the current position of the file to its end, and the number of bytes.
    package static func sha256(_ file: FileDescriptor) throws(FileError) -> (
        digest: String, count: Int
    ) {
        var hash = Hash(.sha256)
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var count = 0
        while true {
            let got = try file.read(into: &buffer)
            guard got > 0 else { return (hash.finish(), count) }
            count += got
            hash.add(buffer.span.extracting(0..<got))
        }
    }

    package static func sha256(_ bytes: [UInt8]) -> String {
        digest(.sha256, bytes)
    }

    package static func sha1(_ bytes: [UInt8]) -> String {
        digest(.sha1, bytes)
    }

    /// The 32 octets of SHA-256.
    package static func sha256Bytes(_ bytes: [UInt8]) -> [UInt8] {
        var hash = Hash(.sha256)
        hash.add(bytes.span)
        return hash.finishedBytes()
    }

    private static func digest(_ algorithm: Hash.Algorithm, _ bytes: [UInt8]) -> String {
        var hash = Hash(algorithm)
        hash.add(bytes.span)
        return hash.finish()
    }
}

/// An incremental digest.
@safe package struct Hash: ~Copyable {
    package enum Algorithm {
        case sha1, sha256

        /// Fetched by name once: that takes OpenSSL as long as hashing a small file.
        fileprivate var method: OpaquePointer? {
            switch self {
            case .sha1: unsafe Self.fetchedSHA1
            case .sha256: unsafe Self.fetchedSHA256
            }
        }

        nonisolated(unsafe) private static let fetchedSHA1 = unsafe EVP_MD_fetch(nil, "SHA1", nil)
        nonisolated(unsafe) private static let fetchedSHA256 = unsafe EVP_MD_fetch(
            nil, "SHA256", nil)
    }

    private let state: OpaquePointer?

    package init(_ algorithm: Algorithm) {
        unsafe state = EVP_MD_CTX_new()
        unsafe EVP_DigestInit_ex(state, algorithm.method, nil)
    }

    deinit { unsafe EVP_MD_CTX_free(state) }

    package mutating func add(_ bytes: Span<UInt8>) {
        _ = unsafe bytes.withUnsafeBytes {
            unsafe EVP_DigestUpdate(state, $0.baseAddress, $0.count)
        }
    }

    /// The digest of the bytes so far, to which more can be added; empty if OpenSSL fails.
    package func current() -> [UInt8] {
        var copy = Hash(.sha256)
        guard unsafe EVP_MD_CTX_copy_ex(copy.state, state) == 1 else { return [] }
        return copy.finishedBytes()
    }

    /// Empty if OpenSSL fails, so that it equals no digest.
    package mutating func finish() -> String {
        hexadecimal(finishedBytes())
    }

    /// The digest itself; empty if OpenSSL fails.
    package mutating func finishedBytes() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe EVP_DigestFinal_ex(state, &digest, &count) == 1 else { return [] }
        return Array(digest.prefix(Int(count)))
    }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
        text.append(hexadecimalDigit(byte >> 4))
        text.append(hexadecimalDigit(byte & 15))
    }
    return String(streamSafe: text)
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
}
