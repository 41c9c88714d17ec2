internal import Bytes
public import Foundation
internal import GRDB
internal import Glibc
internal import Synchronization

/// The passes of this person on this computer.
///
/// A library is a directory: an index (`library.sqlite`) and the pass files, named for their
/// SHA-256. Any number of processes may use it at once, and each may be killed at any moment.
public final class PassLibrary: Sendable {
    /// What an instance is opened for.
    public enum Access: Sendable {
        /// To look only: nothing is created or changed.
        case reading
        /// To add and remove too, in a library that is there.
        case changing
        /// To add and remove too: a library that is not there yet is created.
        case writing
    }

    let files: FileStore
    let patience: Duration
    /// The pass types this instance sees; nil for all.
    let visibleTypes: Set<String>?
    let access: Access
    private let mending: IndexMending?
    private let index: Mutex<OpenIndex>

    /// Opens the library in `directory`.
    ///
    /// - Parameters:
    ///   - passTypeIdentifiers: The only pass types that this instance reads, searches, removes and
    ///     reports; nil for all. What is added is not restricted.
    ///   - access: What it is opened for.
    ///   - patience: How long to wait for other processes before giving up with
    ///     ``LibraryError/locked(_:)``.
    ///   - mending: What to do about an index that is beyond use, now or later, by an instance that
    ///     is not for reading; nil to throw ``LibraryError/corrupted(path:reason:)``, or
    ///     ``LibraryError/replaced(_:)`` where another process made a new one.
    /// - Throws: ``LibraryError/noSuchLibrary(_:)`` where none exists and none is to be created;
    ///   ``LibraryError/cannotWrite(path:reason:)``, ``LibraryError/corrupted(path:reason:)``
    ///   and their like for one that is of no use as it is.
    public init(
        at directory: URL, passTypeIdentifiers: Set<String>? = nil, for access: Access = .writing,
        patience: Duration = .seconds(30), mending: IndexMending? = nil
    ) throws(LibraryError) {
        files = FileStore(root: directory.standardizedFileURL.path)
        visibleTypes = passTypeIdentifiers
        self.patience = patience
        self.access = access
        self.mending = mending
        index = Mutex(try OpenIndex.open(files, for: access, patience: patience, mending: mending))
    }

    /// The directory of the library.
    public var directory: URL { URL(fileURLWithPath: files.root, isDirectory: true) }

    /// Reads the index as it was at one moment.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let pool = try current()
        do {
            return try pool.read(body)
        } catch {
            throw LibraryError(error, at: Index.path(in: files.root))
        }
    }

    /// Changes the index: wholly and durably, or not at all.
    func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let pool = try current()
        do {
            return try pool.write(body)
        } catch {
            throw LibraryError(error, at: Index.path(in: files.root))
        }
    }

    /// What is written to an index that was replaced is lost, and what is read there was true once.
    private func current() throws(LibraryError) -> DatabasePool {
        let open = index.withLock { $0 }
        guard Index.fileNumber(in: files.root) == open.number else {
            throw .replaced(Index.path(in: files.root))
        }
        return open.pool
    }

    /// Does something, and once more where the index turned out to be beyond use and was mended. It
    /// must not hold the lock, and do nothing that would be wrong to do twice.
    func mendingOnce<Value>(
        _ body: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        do throws(LibraryError) {
            return try body()
        } catch {
            guard let mending, error.concernsIndex else { throw error }
            let number = index.withLock { $0.number }
            if Index.fileNumber(in: files.root) == number {
                try mending.mend(files, patience: patience)
            }
            let open = try OpenIndex.open(
                files, for: access, patience: patience, mending: mending)
            index.withLock { $0 = open }
            return try body()
        }
    }

    func holdingLock<Value>(
        for purpose: LibraryLock.Purpose, _ body: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        try LibraryLock.hold(for: purpose, in: files.root, patience: patience, body)
    }
}
