package import Bytes
import Synchronization

/// Decompresses a source while it is read, in constant memory.
///
/// It reads the source from its start and gives the bytes of all its members, as one stream.
package final class Decompressor: ByteStream {
    private let members: Mutex<Members>

    package init(
        _ source: ByteSource, _ format: CompressionFormat,
        limits: CompressionLimits = CompressionLimits()
    ) {
        members = Mutex(Members(source, format, limits))
    }

    /// What ended the stream early, or follows it; nil before its end.
    package var failure: CompressionError? {
        members.withLock { $0.failure }
    }

    /// Reads what there is, at most a buffer full; 0 at the end, for which `failure` may have a
    /// reason. Throws when the source cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try members.withLock { members throws(FileError) in
            try unsafe members.read(into: buffer)
        }
    }
}
