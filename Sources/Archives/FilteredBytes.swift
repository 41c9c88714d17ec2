package import Bytes
package import Platform
import Synchronization

/// The contents of a compressed file that is not an archive, decompressed by libarchive in constant
/// memory.
package final class FilteredBytes: ByteStream {
    package enum Filter: Sendable {
        case lz4
        /// The format of the program `compress`.
        case compress
        /// Without a limit on memory, for a dictionary whose size was checked.
        case lzma
    }

    private let state: Mutex<State>

    fileprivate struct State {
        var archive: ArchivePosition?
        /// The number of the only file; nil before it was opened.
        var number: Int?
        var failure: ArchiveError?
    }

    package init(_ source: ByteSource, _ filter: Filter, limits: ArchiveLimits) {
        var state = State()
        do throws(ArchiveFailure) {
            state.archive = try ArchivePosition(source, filter, limits)
        } catch {
            if case .archive(let error) = error { state.failure = error }
        }
        self.state = Mutex(state)
    }

    /// The error that ended the stream; nil before its end.
    package var failure: ArchiveError? { state.withLock { $0.failure } }

    /// The number of compressed bytes read.
    package var readCount: Int { state.withLock { $0.archive?.readCount ?? 0 } }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try state.withLock { state throws(FileError) in try unsafe state.read(into: buffer) }
    }
}

extension FilteredBytes.State {
    fileprivate mutating func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        if number == nil {
            switch try archive?.next() {
            case .file(_, _, let number): self.number = number
            case .problem(let error): failure = error
            case .encrypted, .links, nil: break
            }
        }
        guard let number, let got = try unsafe archive?.read(number, into: buffer) else { return 0 }
        if got == 0, case .problem(let error)? = try archive?.next() { failure = error }
        return got
    }
}
