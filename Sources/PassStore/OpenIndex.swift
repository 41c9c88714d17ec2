internal import GRDB

/// The open index of a library.
struct OpenIndex {
    let pool: DatabasePool
    /// The inode number of the file when it was opened.
    let number: UInt64

    private init(
        _ files: FileStore, for access: PassLibrary.Access, patience: Duration
    ) throws(LibraryError) {
        switch access {
        case .reading: pool = try Index.openForReading(files, patience: patience)
        case .changing: pool = try Index.openForChanging(files, patience: patience)
        case .writing: pool = try Index.openForWriting(files, patience: patience)
        }
        number = Index.fileNumber(in: files.root)
    }

    /// Opens the index, after repairing it if necessary and allowed.
    static func open(
        _ files: FileStore, for access: PassLibrary.Access, patience: Duration,
        mending: IndexMending?
    ) throws(LibraryError) -> OpenIndex {
        guard let mending, access != .reading else {
            return try OpenIndex(files, for: access, patience: patience)
        }
        // Must be checked before SQLite creates a new log.
        let isLogLost = Index.isLogLost(files)
        let open: OpenIndex
        do throws(LibraryError) {
            open = try OpenIndex(files, for: access, patience: patience)
        } catch {
            guard error.concernsIndex else { throw error }
            try mending.mend(files, patience: patience)
            return try OpenIndex(files, for: access, patience: patience)
        }
        if isLogLost { try mending.takeBackFiles(files, patience: patience) }
        return open
    }
}
