internal import GRDB

/// The index while a library is open.
struct OpenIndex {
    let pool: DatabasePool
    /// Which file it was when it was opened.
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

    /// Opens the index; one that is beyond use is mended first if it may be.
    static func open(
        _ files: FileStore, for access: PassLibrary.Access, patience: Duration,
        mending: IndexMending?
    ) throws(LibraryError) -> OpenIndex {
        guard let mending, access != .reading else {
            return try OpenIndex(files, for: access, patience: patience)
        }
        // To be asked before SQLite begins a new log.
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
