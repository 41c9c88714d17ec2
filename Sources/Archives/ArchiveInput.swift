import Bytes
import CArchive
import Platform

/// The bytes of an archive, which libarchive reads through callbacks.
@safe final class ArchiveInput {
    /// The error that ended reading.
    private(set) var failure: FileError?
    /// The number of bytes read.
    private(set) var count = 0
    /// Whether the end of the source was reached.
    private(set) var isAtEnd = false
    /// Whether a long hole in a sparse file, which is followed by data, was the end.
    private(set) var isCutByHole = false

    private let source: ByteSource
    private let buffer: UnsafeMutableRawBufferPointer
    private var offset = 0

    init(_ source: ByteSource) {
        self.source = source
        unsafe buffer = .allocate(byteCount: 64 << 10, alignment: 64)
    }

    deinit { unsafe buffer.deallocate() }

    /// The next bytes, in the buffer; -1 on failure. A long hole in a sparse file ends the archive:
    /// libarchive would search it for the next file.
    @unsafe func read(_ place: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        guard !source.isLongHole(at: offset) else {
            isAtEnd = true
            isCutByHole = source.size.map { source.data(from: offset) < $0 } ?? false
            return 0
        }
        do throws(FileError) {
            let got = try unsafe source.read(at: offset, into: buffer)
            unsafe place?.pointee = UnsafeRawPointer(buffer.baseAddress)
            offset += got
            count += got
            isAtEnd = got == 0
            return got
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }

    /// Skips up to `wanted` bytes; 0 in a stream, of which libarchive then reads them.
    func skip(_ wanted: Int64) -> Int64 {
        guard let size = source.size, wanted > 0 else { return 0 }
        let skipped = min(wanted, Int64(max(size - offset, 0)))
        offset += Int(skipped)
        return skipped
    }

    func seek(_ distance: Int64, from whence: CInt) -> Int64 {
        let base =
            switch whence {
            case SEEK_SET: 0
            case SEEK_CUR: offset
            default: source.size ?? 0
            }
        let (place, overflow) = Int64(base).addingReportingOverflow(distance)
        guard !overflow, place >= 0 else { return Int64(ARCHIVE_FATAL) }
        offset = Int(place)
        return place
    }
}
