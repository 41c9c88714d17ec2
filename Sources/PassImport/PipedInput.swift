import Bytes
import Glibc
import Platform
import Synchronization

/// Standard input up to a run of zeros that is too long to be read: `cat` writes the holes of a
/// sparse file, which may be larger than any disk.
final class PipedInput: ByteStream {
    private let descriptor: FileDescriptor
    private let limit: Int
    /// The number of zeros read last.
    private let zeros = Mutex(0)

    /// - Parameter limit: The number of zeros after one another, in bytes.
    init(_ descriptor: FileDescriptor, limit: Int) {
        self.descriptor = descriptor
        self.limit = limit
    }

    /// Whether it was ended.
    var isCut: Bool { zeros.withLock { $0 > limit } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        if isCut { return 0 }
        let count = try unsafe descriptor.read(into: buffer)
        guard count > 0, let start = buffer.baseAddress else { return count }
        // Each byte equals the one after it.
        let isZero = unsafe buffer[0] == 0 && memcmp(start, start + 1, count - 1) == 0
        zeros.withLock { $0 = isZero ? $0 + count : 0 }
        return count
    }
}
