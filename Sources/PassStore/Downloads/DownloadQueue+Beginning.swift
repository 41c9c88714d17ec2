internal import GRDB
internal import Platform

extension DownloadQueue {
    /// Claims a download for this process, to fetch all or the rest of it. Nil if another process
    /// holds it, or if it is paused, ended or deleted.
    ///
    /// Nothing is written to the index: the lock on the file marks it as active.
    ///
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)`` if its file cannot be created, also for
    ///   a read-only library; other errors if the index cannot be read.
    package func begin(_ id: Int64) throws(LibraryError) -> ActiveDownload? {
        let path = path(of: id)
        guard isForChanging else {
            throw .cannotWrite(path: path, reason: .isReadOnly)
        }
        let taken = try writing(path) { () throws(FileError) in
            try DownloadFile.take(path, making: true)
        }
        guard let file = taken else { return nil }
        // Read the row after claiming the file, when no other process can change it.
        let row = try row(id)
        guard var download = row, download.state == .waiting else {
            if row?.state != .paused || file.size == 0 { try? file.remove() }
            return nil
        }
        download.receivedContentLength = file.size
        // Without a validator, start over.
        if download.validator == nil, file.size > 0, !download.isWhole {
            try writing(path) { () throws(FileError) in try file.empty() }
            download.receivedContentLength = 0
        }
        let validator = download.validator
        if file.size == 0 {
            download.validator = nil
            download.wasResumed = false
        }
        download.state = .active
        return ActiveDownload(download, file, keptValidator: validator, in: self)
    }

    /// Removes the unclaimed files of ended or deleted downloads, left by killed processes.
    func sweep() throws(LibraryError) {
        for name in try leftovers() {
            // Continue if a file cannot be removed.
            try? DownloadFile.take("\(folder)/\(name)", making: false)?.remove()
        }
    }

    /// The files in the folder that do not belong to an unfinished download. A process may still
    /// hold some of them.
    private func leftovers() throws(LibraryError) -> [String] {
        // Read the names before the rows: a row is written before its file.
        let names = try names()
        let ids = names.compactMap(DownloadFile.id)
        guard !ids.isEmpty else { return [] }
        return try read(else: []) { db in try DownloadRow.ended(ids, db).map(DownloadFile.name) }
    }

    func writing<Value: ~Copyable>(
        _ path: String, _ body: () throws(FileError) -> Value
    ) throws(LibraryError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw .cannotWrite(path: path, reason: .system(error.code))
        }
    }
}

extension DownloadRow {
    /// The IDs of downloads that ended or were deleted.
    static func ended(_ ids: [Int64], _ db: Database) throws -> [Int64] {
        try ids.filter { id in
            let goesOn = try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT state IN ('waiting', 'paused') FROM downloads WHERE id = ?"),
                arguments: [id])
            return goesOn != true
        }
    }
}
