package import Archives
package import Bytes
import CZlib
package import Platform

/// Compresses files for ZIP archives, one after the other, with zlib. The memory that zlib needs,
/// a quarter of a megabyte, is allocated once.
///
/// `@unchecked Sendable`: callers use one from one thread at a time.
@safe package final class Deflater: @unchecked Sendable {
    /// On the heap, because zlib's state contains a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil without memory.
    ///
    /// - Parameter level: The effort, 1 to 9.
    package init?(level: Int) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // The largest window, negative for no header, and the usual memory.
        let code = unsafe deflateInit2_(
            stream, CInt(clamping: level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
        unsafe self.stream = unsafe stream
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// A compressed file, which is stored if that is not larger.
    package func packed(_ name: String, _ bytes: [UInt8]) -> PackedFile {
        guard let contents = deflated(bytes), contents.count < bytes.count else {
            return PackedFile(name, storing: bytes)
        }
        return PackedFile(
            name, contents: contents, isDeflated: true, size: bytes.count,
            checksum: checksum(of: bytes))
    }

    /// Nil for more bytes than zlib takes at once.
    private func deflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard let count = UInt32(exactly: bytes.count), unsafe deflateReset(stream) == Z_OK,
            let space = UInt32(exactly: unsafe deflateBound(stream, UInt(count)))
        else { return nil }
        var isComplete = false
        let contents = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: Int(space)) { output, filled in
                // zlib does not write to its input; the type is const only with ZLIB_CONST.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = count
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = space
                isComplete = unsafe deflate(stream, Z_FINISH) == Z_STREAM_END
                filled = unsafe Int(space - stream.pointee.avail_out)
            }
        }
        return isComplete ? contents : nil
    }
}

extension PackedFile {
    /// A file that is not compressed.
    package init(_ name: String, storing bytes: [UInt8]) {
        self.init(
            name, contents: bytes, isDeflated: false, size: bytes.count,
            checksum: checksum(of: bytes))
    }
}

/// The CRC-32.
package func checksum(of octets: SpooledBytes) throws(FileError) -> UInt32 {
    var sum: UInt = 0
    try octets.forEachPiece { piece throws(FileError) in
        unsafe piece.withUnsafeBufferPointer { bytes in
            sum = unsafe crc32_z(sum, bytes.baseAddress, bytes.count)
        }
        return true
    }
    return UInt32(truncatingIfNeeded: sum)
}

private func checksum(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: unsafe crc32_z(0, bytes, bytes.count))
}
