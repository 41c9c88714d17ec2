internal import Bytes
internal import Cryptography
internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification
internal import Platform

/// Opens the SQLite database of a library.
enum Index {
    static func path(in root: String) -> String { "\(root)/library.sqlite" }

    /// The file of the index, which may be the target of a link: SQLite creates its files beside
    /// the target.
    static func target(in root: String) -> String {
        let path = path(in: root)
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
            return path
        }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    static func openForReading(
        _ files: FileStore, patience: Duration
    ) throws(LibraryError) -> DatabasePool {
        let path = path(in: files.root)
        var configuration = configuration(patience)
        configuration.readonly = true
        do {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try refuseIfUnreadable(pool, files)
            return pool
        } catch {
            let failure = LibraryError(error, at: path)
            guard case .cannotWrite(_, let reason) = failure else { throw failure }
            // In WAL mode, reading also creates files beside the index.
            throw .cannotRead(path: path, reason: .cannotMark(reason))
        }
    }

    static func refuseIfUnreadable(_ index: some DatabaseReader, _ files: FileStore) throws {
        let (isComplete, isNewer) = try index.read { db in
            (try Schema.hasPasses(db), try Schema.migrator.hasBeenSuperseded(db))
        }
        if isNewer { throw LibraryError.newerLibrary(files.root) }
        // Another process is creating it right now, or was killed while doing so.
        if !isComplete { throw LibraryError.noSuchLibrary(files.root) }
    }

    /// Like `openForWriting`, but only for an existing library; throws if the index was lost.
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
            throw .cannotWrite(path: files.root, reason: .system(error.code))
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
            // GRDB sets NORMAL in WAL mode, which loses the last commits in a power failure. An
            // import that was reported must not be lost.
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

    /// - Parameter mend: Whether the index may be changed. If not, and if nothing can be written
    ///   beside it, a copy is opened.
    static func openForCheck(
        _ files: FileStore, patience: Duration, mend: Bool
    ) throws -> DatabaseQueue {
        if !mend, let index = UnwritableIndex(files, patience: patience) {
            return try index.openCopy()
        }
        var configuration = configuration(patience)
        configuration.journalMode = .wal
        let index = try DatabaseQueue(path: path(in: files.root), configuration: configuration)
        try index.inDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        try bringUpToDate(index, files)
        return index
    }

    /// Creates the tables, or those added in later versions of this program.
    static func bringUpToDate(_ index: some DatabaseWriter, _ files: FileStore) throws {
        let migrator = Schema.migrator
        let (isNewer, isEmpty) = try index.read { db in
            (try migrator.hasBeenSuperseded(db), try migrator.appliedIdentifiers(db).isEmpty)
        }
        if isNewer { throw LibraryError.newerLibrary(files.root) }
        if isEmpty { try refuseIfLost(files) }
        try migrator.migrate(index)
        try storeNames(index, files)
    }

    /// Stores the names of passes that an earlier version of this program added: of some at a time,
    /// the latest first, since mail may be waiting.
    private static func storeNames(_ index: some DatabaseWriter, _ files: FileStore) throws {
        let digests = try index.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT sha256 FROM versions WHERE names IS NULL ORDER BY id DESC LIMIT 500")
        }
        if digests.isEmpty { return }
        let names = digests.map { sha256 in
            guard let bytes = try? files.read(files.path(of: sha256)),
                Digest.sha256(bytes) == sha256
            else { return "" }
            return UnjudgedPass(SpooledBytes(bytes)).map { PassNames($0.pass).text } ?? ""
        }
        try index.write { db in
            for (sha256, names) in zip(digests, names) {
                try db.run("UPDATE versions SET names = ? WHERE sha256 = ?", [names, sha256])
            }
        }
    }

    /// The inode number of the index file; 0 if it does not exist.
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

    /// SQLite would create a file readable by all users.
    private static func createIfMissing(_ path: String, _ files: FileStore) throws {
        guard !files.exists(path) else { return }
        try refuseIfLost(files)
        try files.create(path).close()
    }

    /// Throws if there is neither an index nor a folder of pass files.
    static func refuseIfNoLibrary(_ files: FileStore) throws(LibraryError) {
        if files.exists(path(in: files.root)) || files.exists(files.passes) { return }
        try refuseIfMissing(files)
    }

    static func refuseIfMissing(_ files: FileStore) throws(LibraryError) {
        let path = path(in: files.root)
        guard unsafe access(path, F_OK) != 0 else { return }
        switch errno {
        case ENOENT:
            if (try? files.names(in: files.passes).isEmpty) == false {
                throw .corrupted(path: path, reason: .lost)
            }
            throw .noSuchLibrary(files.root)
        // The folder is a file, or in one.
        case ENOTDIR: throw .cannotRead(path: files.root, reason: .system(ENOTDIR))
        case let code: throw .cannotRead(path: path, reason: .system(code))
        }
    }

    /// Throws if the index was lost. An index is created before the first pass file, so it was lost
    /// if there are pass files but the index is missing or empty. With a new index, all files would
    /// look abandoned.
    private static func refuseIfLost(_ files: FileStore) throws {
        guard try !files.names(in: files.passes).isEmpty else { return }
        throw LibraryError.corrupted(
            path: path(in: files.root), reason: .lost)
    }
}
