internal import GRDB

extension DownloadQueue {
    /// The downloads in these states, in the order they were added. A download is active while a
    /// process holds it.
    ///
    /// - Parameters:
    ///   - states: The states to include; nil for all.
    ///   - id: Only downloads with greater IDs.
    ///   - limit: The maximum number; nil for all.
    /// - Throws: ``LibraryError`` if the index or the folder cannot be read.
    public func downloads(
        in states: Set<Download.State>? = nil, after id: Int64 = 0, limit: Int? = nil
    ) throws(LibraryError) -> [Download] {
        let files = Set(try names())
        let kept = Set((states ?? Set(Download.State.allCases)).map { $0.asKept })
        // Exclude the other states instead, so that rows with an invalid state are found and
        // repaired.
        let unwanted = Set(Download.State.allCases.map(\.asKept)).subtracting(kept)
            .map { "'\($0.rawValue)'" }
        return try read(else: []) { db in
            let rows = try DownloadRow.fetchCursor(
                db,
                sql: """
                    SELECT * FROM downloads
                    WHERE id > ? AND state NOT IN (\(unwanted.joined(separator: ", "))) ORDER BY id
                    """,
                arguments: [id])
            var downloads: [Download] = []
            while downloads.count < limit ?? .max, let row = try rows.next() {
                let download = asSeen(row.download, files)
                if states?.contains(download.state) != false { downloads.append(download) }
            }
            return downloads
        }
    }

    /// The download with this ID; nil if it does not exist or was deleted.
    ///
    /// - Throws: As ``downloads(in:after:limit:)``.
    public func download(_ id: Int64) throws(LibraryError) -> Download? {
        try row(id).map { asSeen($0, nil) }
    }

    func row(_ id: Int64) throws(LibraryError) -> Download? {
        try read(else: nil) { db in try DownloadRow.fetch(id, db) }
    }

    /// The download with the size and state that its file implies.
    ///
    /// - Parameter files: The names of existing files; nil if they were not read.
    func asSeen(_ download: Download, _ files: Set<String>?) -> Download {
        guard !download.state.isEnded else { return download }
        var seen = download
        let isThere = files?.contains(DownloadFile.name(of: download.id)) != false
        let file = isThere ? DownloadFile.look(at: path(of: download.id)) : nil
        seen.receivedContentLength = file?.size ?? 0
        if download.state == .waiting, file?.isHeld == true { seen.state = .active }
        if seen.state != .active { seen.timeRemaining = nil }
        return seen
    }
}
