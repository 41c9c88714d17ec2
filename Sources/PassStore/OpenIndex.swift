internal import GRDB

/// The open index of a library.
struct OpenIndex {
    let reader: any DatabaseReader
    /// Nil for an index in a place where nothing can be written.
    let writer: DatabasePool?
    /// The inode number of the file when it was opened.
    let number: UInt64
    /// The files that were read, if SQLite does not notice changes by other processes.
    private let state: IndexState?

    /// Whether the index must be opened again to see changes by other processes.
    func isOutdated(_ files: FileStore) -> Bool {
        state.map { $0 != IndexState(in: files.root) } ?? false
    }

    private init(
        _ files: FileStore, for access: PassLibrary.Access, patience: Duration
    ) throws(LibraryError) {
        let pool: DatabasePool
        switch access {
        case .reading:
            try Index.refuseIfMissing(files)
            if let index = try OpenIndex(unwritable: files, patience: patience) {
                self = index
                return
            }
            pool = try Index.openForReading(files, patience: patience)
        case .changing: pool = try Index.openForChanging(files, patience: patience)
        case .writing: pool = try Index.openForWriting(files, patience: patience)
        }
        (reader, writer, state) = (pool, pool, nil)
        number = Index.fileNumber(in: files.root)
    }

    /// Nil if something can be written beside the index. Opens it again if it changes in the
    /// meantime.
    private init?(unwritable files: FileStore, patience: Duration) throws(LibraryError) {
        for _ in 0..<OpenIndex.attempts {
            let (state, number) = (IndexState(in: files.root), Index.fileNumber(in: files.root))
            guard let index = UnwritableIndex(files, patience: patience) else { return nil }
            let opened = Result { try index.open() }
            let isSame = state == IndexState(in: files.root)
            if !isSame, !index.isLive || (try? opened.get()) == nil { continue }
            do {
                reader = try opened.get()
            } catch {
                throw LibraryError(error, at: Index.path(in: files.root))
            }
            (writer, self.number, self.state) = (nil, number, index.isLive ? nil : state)
            return
        }
        throw .locked(files.root)
    }

    /// How often to read an index that other processes change, before giving up.
    static let attempts = 10

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
