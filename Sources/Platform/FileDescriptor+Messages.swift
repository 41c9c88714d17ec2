import Glibc

/// Messages between two programs of the same version on one machine: the length as a UInt64 in host
/// byte order, then the octets.
extension FileDescriptor {
    package func writeMessage(_ bytes: Span<UInt8>) throws(FileError) {
        let count = [UInt64(bytes.count)]
        var head: [UInt8] = []
        unsafe count.withUnsafeBytes { unsafe head.append(contentsOf: $0) }
        try writeAll(head.span)
        try writeAll(bytes)
    }

    /// Reads the next message; nil if the other program has closed its end.
    ///
    /// - Throws: `EMSGSIZE` if the message is longer than `limit`.
    package func readMessage(limit: Int) throws(FileError) -> [UInt8]? {
        guard let head = try readWhole(count: 8) else { return nil }
        let count = unsafe head.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt64.self) }
        guard count <= UInt64(limit) else { throw FileError(.read, EMSGSIZE) }
        return try readWhole(count: Int(count))
    }

    private func readWhole(count: Int) throws(FileError) -> [UInt8]? {
        var bytes: [UInt8] = []
        // Allocate memory as octets arrive, since the announced length may be wrong.
        var piece = [UInt8](repeating: 0, count: min(count, 1 << 20))
        while bytes.count < count {
            let wanted = min(piece.count, count - bytes.count)
            var failure: FileError?
            let got = unsafe piece.withUnsafeMutableBytes { buffer -> Int in
                do throws(FileError) {
                    return try unsafe read(
                        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            guard got > 0 else { return nil }
            bytes += piece.prefix(got)
        }
        return bytes
    }
}
