import Archives
package import Bytes
package import Platform
import Synchronization

/// Decompresses a source in constant memory while it is read.
///
/// Reads the source from its start and returns the bytes of all members as one stream.
///
/// libarchive decompresses only the formats that have no decoder here. It is not faster (300 MB of
/// mail in gzip and zstd: the same processor time), refuses windows of zstd above 128 MiB, has no
/// limit on the memory for xz but 1 GiB, and does not report other data after the compressed data.
package final class Decompressor: ByteStream {
    private let format: CompressionFormat
    private let backend: Backend

    private enum Backend {
        case members(MembersReader)
        case library(FilteredBytes)
    }

    package init(
        _ source: ByteSource, _ format: CompressionFormat,
        limits: CompressionLimits = CompressionLimits()
    ) {
        self.format = format
        if let decoder = format.decoder(limits) {
            backend = .members(MembersReader(Members(source, format, decoder, limits)))
        } else {
            let filter = format == .lz4 ? FilteredBytes.Filter.lz4 : .compress
            backend = .library(FilteredBytes(source, filter, limits: limits.ofArchive))
        }
    }

    /// The error that ended the stream, or the kind of data after it; nil before its end.
    package var failure: CompressionError? {
        switch backend {
        case .members(let members): members.failure
        case .library(let bytes):
            bytes.failure.map { CompressionError($0, format, offset: bytes.readCount) }
        }
    }

    /// Reads up to a buffer full; 0 at the end, after which `failure` may give a reason. Throws if
    /// the source cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        switch backend {
        case .members(let members): try unsafe members.read(into: buffer)
        case .library(let bytes): try unsafe bytes.read(into: buffer)
        }
    }
}

/// The members of a file, shared by all that read it.
private final class MembersReader: Sendable {
    private let members: Mutex<Members>

    init(_ members: consuming Members) {
        self.members = Mutex(members)
    }

    var failure: CompressionError? { members.withLock { $0.failure } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try members.withLock { members throws(FileError) in
            try unsafe members.read(into: buffer)
        }
    }
}

extension CompressionLimits {
    fileprivate var ofArchive: ArchiveLimits {
        var limits = ArchiveLimits()
        (limits.ratio, limits.ratioFloor, limits.total) = (ratio, ratioFloor, total)
        return limits
    }
}

extension CompressionError {
    /// An error of libarchive before `offset`.
    fileprivate init(_ error: ArchiveError, _ format: CompressionFormat, offset: Int) {
        self =
            switch error {
            case .truncated: .truncated(format)
            case .damagedHeader: .damaged(format, offset: offset, .noHeader)
            case .ratioTooHigh(let limit): .ratioTooHigh(limit: limit)
            case .totalTooLarge(let limit): .totalTooLarge(limit: limit)
            case .outOfMemory: .outOfMemory
            case .damagedFile(_, let reason): .damaged(format, offset: offset, .words(reason))
            case .noLibrary: .unsupported(format, .noLibrary)
            default: .damaged(format, offset: offset, .wrongData)
            }
    }
}
