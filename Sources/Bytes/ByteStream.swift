package import Platform

/// Bytes that can be read only once, in order.
package protocol ByteStream: Sendable {
    /// Reads up to a buffer full and returns the count; 0 at the end, on every further call as
    /// well.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int
}

extension FileDescriptor: ByteStream {}
