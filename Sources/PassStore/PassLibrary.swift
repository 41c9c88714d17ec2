internal import Bytes
public import Foundation
internal import GRDB
internal import Glibc

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

    let pool: DatabasePool
    let files: FileStore
    let patience: Duration
    /// The pass types this instance sees; nil for all.
    let visibleTypes: Set<String>?
    /// Which file the index was when it was opened.
    private let indexNumber: UInt64

    /// Opens the library in `directory`.
    ///
    /// - Parameters:
    ///   - passTypeIdentifiers: The only pass types that this instance reads, searches, removes and
    ///     reports; nil for all. What is added is not restricted.
    ///   - access: What it is opened for.
    ///   - patience: How long to wait for other processes before giving up with
    ///     ``LibraryError/locked(_:)``.
    /// - Throws: ``LibraryError/noSuchLibrary(_:)`` where none exists and none is to be created;
    ///   ``LibraryError/cannotWrite(path:reason:)``, ``LibraryError/corrupted(path:reason:)``
    ///   and their like for one that is of no use as it is.
    public init(
        at directory: URL, passTypeIdentifiers: Set<String>? = nil, for access: Access = .writing,
        patience: Duration = .seconds(30)
    ) throws(LibraryError) {
        files = FileStore(root: directory.standardizedFileURL.path)
        visibleTypes = passTypeIdentifiers
        self.patience = patience
        switch access {
        case .reading: pool = try Index.openForReading(files, patience: patience)
        case .changing: pool = try Index.openForChanging(files, patience: patience)
        case .writing: pool = try Index.openForWriting(files, patience: patience)
        }
        indexNumber = Index.fileNumber(in: files.root)
    }

    /// The directory of the library.
    public var directory: URL { URL(fileURLWithPath: files.root, isDirectory: true) }

    /// Reads the index as it was at one moment.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do {
            return try pool.read(body)
        } catch {
            throw LibraryError(error, at: Index.path(in: files.root))
        }
    }

    /// Changes the index: wholly and durably, or not at all.
    func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        guard Index.fileNumber(in: files.root) == indexNumber else {
            throw .replaced(Index.path(in: files.root))
        }
        do {
            return try pool.write(body)
        } catch {
            throw LibraryError(error, at: Index.path(in: files.root))
        }
    }

    func holdingLock<Value>(
        for purpose: LibraryLock.Purpose, _ body: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        try LibraryLock.hold(for: purpose, in: files.root, patience: patience, body)
    }
}
