internal import Bytes
internal import GRDB

extension DownloadQueue {
    /// Takes a download for this process, which is to fetch it now, or what is missing of it. Nil where
    /// another has it, or where it is paused, ended or forgotten.
    ///
    /// Nothing is written to the index: that it is active is said by the lock on its file.
    ///
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)`` when its file cannot be made, also for a
    ///   library that is only read; others when the index cannot be read.
    package func begin(_ id: Int64) throws(LibraryError) -> ActiveDownload? {
        let path = path(of: id)
        guard isForChanging else {
            throw .cannotWrite(path: path, reason: "the library is only read")
        }
        let taken = try writing(path) { () throws(FileError) in
            try DownloadFile.take(path, making: true)
        }
        guard let file = taken else { return nil }
        // Read once the file is ours: nobody who had it before can change the row any more.
        let row = try row(id)
        guard var download = row, download.state == .waiting else {
            if row?.state != .paused || file.size == 0 { try? file.remove() }
            return nil
        }
        download.receivedContentLength = file.size
        // Of a body that nothing vouches for there is no going on.
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

    /// Removes the files of downloads that ended or are forgotten, which nobody holds: left by processes
    /// that were killed.
    func sweep() throws(LibraryError) {
        for name in try leftovers() {
            // One that cannot be removed does not keep the others from it.
            try? DownloadFile.take("\(folder)/\(name)", making: false)?.remove()
        }
    }

    /// The files in the folder that belong to no download which goes on. Some of them may be held.
    private func leftovers() throws(LibraryError) -> [String] {
        // First the names, then the rows: the row of a file that is there was there before it.
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
            throw .cannotWrite(path: path, reason: error.reason)
        }
    }
}

extension DownloadRow {
    /// Those of the numbers whose downloads ended or are forgotten.
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
