internal import Bytes
public import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import Synchronization

/// The user's pass library, as `PKPassLibrary` is on a phone.
///
/// A library is a directory with an index (`library.sqlite`) and the pass files, named by SHA-256.
/// Any number of processes may use it concurrently, and may be killed at any time. An instance may
/// be used by several threads at once.
///
/// ```swift
/// for pass in try PassLibrary.default.passes() {
///     print(pass.current.organizationName, pass.current.description)
/// }
/// ```
public final class PassLibrary: Sendable {
    /// The access mode of an instance.
    ///
    /// ```swift
    /// let mine = try PassLibrary(at: url, for: .writing)
    /// print(try mine.count())
    /// ```
    public enum Access: Sendable {
        /// Read only: a missing library is not created, and no pass is added, changed or removed.
        /// SQLite may leave two files of its own beside the index (`-wal`, `-shm`).
        case reading
        /// Read and write an existing library.
        case changing
        /// Read and write; creates a missing library.
        case writing
    }

    let files: FileStore
    let patience: Duration
    /// The pass types that this instance sees; nil for all.
    let visibleTypes: Set<ExactText>?
    let access: Access
    private let mending: IndexMending?
    private let index: Mutex<OpenIndex>

    /// The user's library, opened for reading: the one that the command `passconduit` uses. See
    /// ``PassLocations``.
    ///
    /// Each use opens the library; keep the instance. `PKPassLibrary()` is PassKit's counterpart.
    ///
    /// ```swift
    /// let library = try PassLibrary.default
    /// print(try library.count())
    /// ```
    ///
    /// - Throws: ``LibraryError/noSuchLibrary(_:)`` if it does not exist; other errors if it cannot
    ///   be read.
    public static var `default`: PassLibrary {
        get throws(LibraryError) { try PassLibrary() }
    }

    /// Opens the library in `directory`.
    ///
    /// ```swift
    /// let tickets = try PassLibrary(passTypeIdentifiers: ["pass.com.example.ticket"])
    /// print(try tickets.passes().map(\.serialNumber))
    /// ```
    ///
    /// - Parameters:
    ///   - directory: The directory of the library; by default the user's (see ``PassLocations``).
    ///   - passTypeIdentifiers: Restricts reading, searching, removing and change reports to these
    ///     pass types, as an app on a phone sees only the types in its entitlements; nil for all.
    ///     Adding is not restricted.
    ///   - access: The access mode.
    ///   - patience: How long to wait for other processes before failing with
    ///     ``LibraryError/locked(_:)``.
    ///   - mending: How to repair an unusable index, now or later, unless the access is read-only;
    ///     nil to throw ``LibraryError/corrupted(path:reason:)``, or ``LibraryError/replaced(_:)``
    ///     if another process has replaced it.
    ///   - temporaryFolder: Where to copy the index if it cannot be read in place, as on read-only
    ///     media; nil for the system's folder.
    /// - Throws: ``LibraryError/noSuchLibrary(_:)`` if it does not exist and may not be created;
    ///   ``LibraryError/cannotWrite(path:reason:)``, ``LibraryError/corrupted(path:reason:)`` or
    ///   similar if it is unusable.
    public init(
        at directory: URL = PassLocations.default.library,
        passTypeIdentifiers: Set<String>? = nil, for access: Access = .reading,
        patience: Duration = .seconds(30), mending: IndexMending? = nil,
        temporaryFolder: URL? = nil
    ) throws(LibraryError) {
        files = FileStore(at: directory, copies: temporaryFolder)
        visibleTypes = passTypeIdentifiers.map { Set($0.map(ExactText.init(_:))) }
        self.patience = patience
        self.access = access
        self.mending = mending
        index = Mutex(try OpenIndex.open(files, for: access, patience: patience, mending: mending))
        if access == .writing {
            files.removeOldDrafts()
            removeReplacedFiles()
        }
    }

    /// The directory of the library.
    ///
    /// ```swift
    /// print(library.directory.path)
    /// ```
    public var directory: URL { URL(fileURLWithPath: files.root, isDirectory: true) }

    /// Reads a consistent snapshot of the index.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        for _ in 0..<OpenIndex.attempts {
            let open = try current()
            let result = Result { try open.reader.read(body) }
            // The pages may be from before and after a change.
            if open.isOutdated(files) { continue }
            do {
                return try result.get()
            } catch {
                throw LibraryError(error, at: Index.path(in: files.root))
            }
        }
        throw .locked(files.root)
    }

    /// Changes the index in one durable transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        let path = Index.path(in: files.root)
        guard let pool = try current().writer else {
            throw .cannotWrite(path: path, reason: .isReadOnly)
        }
        do {
            return try pool.write(body)
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    /// The open index. Throws if its file was replaced: writes would be lost, and reads outdated.
    private func current() throws(LibraryError) -> OpenIndex {
        let open = index.withLock { $0 }
        guard Index.fileNumber(in: files.root) == open.number else {
            throw .replaced(Index.path(in: files.root))
        }
        guard open.isOutdated(files) else { return open }
        let new = try OpenIndex.open(files, for: access, patience: patience, mending: mending)
        index.withLock { $0 = new }
        return new
    }

    /// Calls `body`, and once more after repairing the index if that is unusable. `body` must not
    /// hold the lock, and must be safe to repeat.
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
