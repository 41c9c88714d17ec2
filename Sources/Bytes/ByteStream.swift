/// Bytes that come once, from front to back.
package protocol ByteStream: Sendable {
    /// Reads what there is, at most a buffer full; 0 at the end, however often it is asked.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int
}

extension FileDescriptor: ByteStream {}
