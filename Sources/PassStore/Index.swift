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
        let path = path(in: files.root)
        guard unsafe access(path, F_OK) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                let failure = FileError(operation: "open", code: errno)
                throw .cannotRead(path: path, reason: failure.reason)
            }
            throw .noSuchLibrary(files.root)
        }
        var configuration = configuration(patience)
        configuration.readonly = true
        do {
            let pool = try DatabasePool(path: path, configuration: configuration)
            let (isComplete, isNewer) = try pool.read { db in
                (
                    try Schema.migrator.hasCompletedMigrations(db),
                    try Schema.migrator.hasBeenSuperseded(db)
                )
            }
            if isNewer { throw LibraryError.newerLibrary(files.root) }
            // Another process is creating it at this moment, or was killed while it did.
            if !isComplete { throw LibraryError.noSuchLibrary(files.root) }
            return pool
        } catch {
            throw LibraryError(error, at: path)
        }
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
            try createIfMissing(path, files)
            let pool = try DatabasePool(path: path, configuration: configuration(patience))
            // In the WAL mode GRDB sets NORMAL, which loses the last commits when the power goes:
            // an import that was reported has to be there.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
            }
            if try pool.read(Schema.migrator.hasBeenSuperseded) {
                throw LibraryError.newerLibrary(files.root)
            }
            try Schema.migrator.migrate(pool)
            try files.syncDirectory(files.root)
            return pool
        } catch {
            throw LibraryError(error, at: path)
        }
    }

    /// The file's number in its file system; 0 when it is gone.
    static func fileNumber(in root: String) -> UInt64 {
        var status = stat()
        return unsafe stat(path(in: root), &status) == 0 ? UInt64(status.st_ino) : 0
    }

    static func configuration(_ patience: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(patience.components.seconds))
        configuration.label = "PassLibrary"
        return configuration
    }

    /// SQLite would create the file readable by everybody.
    private static func createIfMissing(_ path: String, _ files: FileStore) throws {
        guard !files.exists(path) else { return }
        // Somebody removed the index. A new one would make every file look abandoned.
        let folders = try FileManager.default.contentsOfDirectory(atPath: files.passes)
        guard folders.isEmpty else {
            throw LibraryError.corrupted(path: path, reason: "it is gone, and the passes are there")
        }
        try files.create(path).close()
    }
}
