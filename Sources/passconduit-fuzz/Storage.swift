import Bytes
import Platform
import Synchronization

/// The same bytes in a file, and as a stream that returns a few at a time.
extension SpooledBytes {
    init(inFile bytes: [UInt8]) {
        self = always { () throws(FileError) in
            var writer = OctetsWriter(SpoolPolicy(memory: 0, directories: ["/dev/shm", "/tmp"]))
            try writer.append(bytes)
            return try writer.finish()
        }
    }

    var bytes: [UInt8] {
        always { () throws(FileError) in try array() }
    }
}

/// A stream that returns `size` bytes at a time.
final class ShortReads: ByteStream {
    private let rest: Mutex<ArraySlice<UInt8>>
    private let size: Int

    init(_ bytes: [UInt8], of size: Int) {
        rest = Mutex(bytes[...])
        self.size = size
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        rest.withLock { rest in
            let piece = rest.prefix(min(size, buffer.count))
            unsafe buffer.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }
}

extension ByteStream {
    /// All bytes, read with a buffer of `size`; at most `limit` bytes.
    func bytes(bufferSize size: Int, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while bytes.count <= limit {
            let got = unsafe buffer.withUnsafeMutableBytes { room in
                always { () throws(FileError) in unsafe try read(into: room) }
            }
            guard got > 0 else { break }
            expect(got <= size, "\(got) bytes in a buffer of \(size)")
            bytes += buffer[..<got]
        }
        return bytes
    }
}
