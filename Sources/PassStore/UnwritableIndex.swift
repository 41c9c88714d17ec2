internal import Foundation
internal import GRDB
internal import Glibc
internal import Platform

/// Reads an index in a place where nothing can be written: on read-only media, or in a folder that
/// belongs to another user.
///
/// In WAL mode, SQLite reads an index only if its log and the log's index (`-shm`) are there or can
/// be created. Without them, there are two cases:
/// - There is no log, or an empty one: the file alone is complete.
/// - There is a log: SQLite would ignore it, and show an old state of the library. A copy of both is
///   read instead.
struct UnwritableIndex {
    private let files: FileStore
    private let patience: Duration
    /// Whether SQLite can read the index in place and sees changes by other processes. If not,
    /// changes are detected with ``IndexState``.
    let isLive: Bool

    /// Nil if SQLite can create its files.
    init?(_ files: FileStore, patience: Duration) {
        let index = URL(fileURLWithPath: Index.target(in: files.root))
        guard unsafe access(index.deletingLastPathComponent().path, W_OK) != 0 else { return nil }
        self.files = files
        self.patience = patience
        isLive = files.exists(index.path + "-wal") && files.exists(index.path + "-shm")
    }

    /// Whether files must be copied before they can be read.
    var needsCopy: Bool { !isLive && IndexState(in: files.root).hasLog }

    /// Opens the index for reading. An index of an earlier version of this program is copied into
    /// memory, and brought up to date there.
    func open() throws -> DatabaseQueue {
        let source = try openAsItIs()
        try Index.refuseIfUnreadable(source, files)
        let isCurrent = try source.read { db in try Schema.migrator.hasCompletedMigrations(db) }
        return isCurrent ? source : try inMemory(source)
    }

    /// Opens a copy in memory, which can be changed.
    func openCopy() throws -> DatabaseQueue { try inMemory(openAsItIs()) }

    private var path: String { Index.path(in: files.root) }

    private func openAsItIs() throws -> DatabaseQueue {
        if isLive { return try DatabaseQueue(path: path, configuration: configuration) }
        if IndexState(in: files.root).hasLog { return try copiedWithLog() }
        // As a file name, SQLite decodes it like a URL.
        let url = URL(fileURLWithPath: path).absoluteString
        return try DatabaseQueue(path: "\(url)?immutable=1", configuration: configuration)
    }

    private func inMemory(_ source: DatabaseQueue) throws -> DatabaseQueue {
        let copy = try copiedIntoMemory(source)
        try Index.bringUpToDate(copy, files)
        return copy
    }

    private func copiedWithLog() throws -> DatabaseQueue {
        let folder = try IndexCopy(of: Index.target(in: files.root), files)
        defer { folder.remove() }
        return try copiedIntoMemory(DatabaseQueue(path: folder.index))
    }

    private func copiedIntoMemory(_ source: DatabaseQueue) throws -> DatabaseQueue {
        let copy = try DatabaseQueue()
        try source.backup(to: copy)
        try source.close()
        return copy
    }

    private var configuration: Configuration {
        var configuration = Index.configuration(patience)
        configuration.readonly = true
        // Large results are not sorted in files.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA temp_store = MEMORY") }
        return configuration
    }
}

/// The files of an index at one time. Practically every change of the index changes it.
struct IndexState: Equatable {
    private struct File: Equatable {
        let number: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return nil }
            number = UInt64(status.st_ino)
            size = Int(status.st_size)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    private let index: File?
    private let log: File?

    var isLogThere: Bool { log != nil }

    init(in root: String) {
        let path = Index.target(in: root)
        index = File(path)
        log = File(path + "-wal")
    }

    var hasLog: Bool { log.map { $0.size > 0 } ?? false }
}

/// A copy of an index and its log in a private folder.
private struct IndexCopy {
    private let folder: String
    var index: String { "\(folder)/library.sqlite" }

    init(of path: String, _ files: FileStore) throws {
        var template = Array("\(files.copies)/passconduit-index-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else { return nil }
            return unsafe String(cString: name)
        }
        guard let made else {
            let failure = FileError(.makeFolder, errno)
            throw LibraryError.cannotWrite(path: files.copies, reason: .system(failure.code))
        }
        folder = made
        do throws(FileError) {
            for suffix in ["", "-wal"] {
                try files.copy(path + suffix, to: index + suffix)
            }
        } catch {
            remove()
            throw LibraryError.cannotRead(path: path, reason: .system(error.code))
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
