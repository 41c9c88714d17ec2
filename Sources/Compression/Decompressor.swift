package import Bytes
package import Platform
import Synchronization

/// Decompresses a source in constant memory while it is read.
///
/// Reads the source from its start and returns the bytes of all members as one stream.
package final class Decompressor: ByteStream {
    private let members: Mutex<Members>

    package init(
        _ source: ByteSource, _ format: CompressionFormat,
        limits: CompressionLimits = CompressionLimits()
    ) {
        members = Mutex(Members(source, format, limits))
    }

    /// The error that ended the stream, or the kind of data after it; nil before its end.
    package var failure: CompressionError? {
        members.withLock { $0.failure }
    }

    /// Reads up to a buffer full; 0 at the end, after which `failure` may give a reason. Throws if
    /// the source cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try members.withLock { members throws(FileError) in
            try unsafe members.read(into: buffer)
        }
    }
}
