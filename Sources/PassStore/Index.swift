internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc

/// Opening the SQLite database that is a library's index.
enum Index {
    static func path(in root: String) -> String { "\(root)/library.sqlite" }

    static func openForReading(
        _ files: FileStore, patience: Duration
    ) throws(LibraryError) -> DatabasePool {
        try refuseIfMissing(files)
        let path = path(in: files.root)
        var configuration = configuration(patience)
        configuration.readonly = true
        do {
            let pool = try DatabasePool(path: path, configuration: configuration)
            let (isComplete, isNewer) = try pool.read { db in
                (try Schema.hasPasses(db), try Schema.migrator.hasBeenSuperseded(db))
            }
            if isNewer { throw LibraryError.newerLibrary(files.root) }
            // Another process is creating it at this moment, or was killed while it did.
            if !isComplete { throw LibraryError.noSuchLibrary(files.root) }
            return pool
        } catch {
            let failure = LibraryError(error, at: path)
            guard case .cannotWrite(_, let reason) = failure else { throw failure }
            // In the WAL mode a reader leaves marks beside the index.
            throw .cannotRead(path: path, reason: "\(reason), which reading needs as well")
        }
    }

    /// As `openForWriting`, where there is a library; one that lost its index is told from none.
    static func openForChanging(
        _ files: FileStore, patience: Duration
    ) throws(LibraryError) -> DatabasePool {
        if !files.exists(path(in: files.root)) {
            do {
                try refuseIfLost(files)
            } catch {
                throw LibraryError(error, at: files.passes)
            }
        }
        try refuseIfMissing(files)
        return try openForWriting(files, patience: patience)
    }

    static func openForWriting(
        _ files: FileStore, patience: Duration
    ) throws(LibraryError) -> DatabasePool {
        do throws(FileError) {
            try files.prepare()
        } catch {
            throw .cannotWrite(path: files.root, reason: error.reason)
        }
        return try LibraryLock.hold(
            for: .opening, in: files.root, patience: patience
        ) { () throws(LibraryError) in
            try openAlone(files, patience: patience)
        }
    }

    private static func openAlone(
        _ files: FileStore, patience: Duration
    ) throws(LibraryError) -> DatabasePool {
        let path = path(in: files.root)
        do {
            if let damage = try visibleDamage(files) {
                throw LibraryError.corrupted(path: path, reason: damage)
            }
            try createIfMissing(path, files)
            let pool = try DatabasePool(path: path, configuration: configuration(patience))
            // In the WAL mode GRDB sets NORMAL, which loses the last commits when the power goes:
            // an import that was reported has to be there.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
            }
            try bringUpToDate(pool, files)
            try files.syncDirectory(files.root)
            return pool
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    /// Makes the tables, or those that a later version of this program added.
    static func bringUpToDate(_ index: some DatabaseWriter, _ files: FileStore) throws {
        let migrator = Schema.migrator
        let (isNewer, isEmpty) = try index.read { db in
            (try migrator.hasBeenSuperseded(db), try migrator.appliedIdentifiers(db).isEmpty)
        }
        if isNewer { throw LibraryError.newerLibrary(files.root) }
        if isEmpty { try refuseIfLost(files) }
        try migrator.migrate(index)
    }

    /// The file's number in its file system; 0 when it is gone.
    static func fileNumber(in root: String) -> UInt64 {
        var status = stat()
        return unsafe stat(path(in: root), &status) == 0 ? UInt64(status.st_ino) : 0
    }

    static func configuration(_ patience: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience / .seconds(1))
        configuration.label = "PassLibrary"
        return configuration
    }

    /// SQLite would create the file readable by everybody.
    private static func createIfMissing(_ path: String, _ files: FileStore) throws {
        guard !files.exists(path) else { return }
        try refuseIfLost(files)
        try files.create(path).close()
    }

    private static func refuseIfMissing(_ files: FileStore) throws(LibraryError) {
        let path = path(in: files.root)
        guard unsafe access(path, F_OK) != 0 else { return }
        guard errno == ENOENT || errno == ENOTDIR else {
            let failure = FileError(.open, errno)
            throw .cannotRead(path: path, reason: failure.reason)
        }
        throw .noSuchLibrary(files.root)
    }

    /// An index comes before the first pass file. Where there are files and it is not there, or has
    /// nothing in it, it was lost; a new one would make every file look abandoned.
    private static func refuseIfLost(_ files: FileStore) throws {
        guard try !files.names(in: files.passes).isEmpty else { return }
        throw LibraryError.corrupted(
            path: path(in: files.root), reason: "it was lost, and the pass files are there")
    }
}
