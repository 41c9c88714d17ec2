internal import Foundation
internal import GRDB

/// Recovers downloads from a damaged index.
extension Salvage {
    /// Copies readable downloads with their IDs.
    ///
    /// - Parameter finished: Whether to include finished ones. They are left out if a pass was
    ///   lost, so that it is fetched again.
    /// - Returns: Whether all downloads were copied.
    func copyDownloads(finished: Bool, to db: Database) throws -> Bool {
        guard let index else { return false }
        return try Salvage.upToDamage {
            try index.read { old in
                // The index may be older than this table.
                guard try old.tableExists("downloads") else { return }
                let rows = try Row.fetchCursor(
                    old, sql: "SELECT * FROM downloads NOT INDEXED ORDER BY id")
                while let row = try rows.next() {
                    guard var kept = DownloadRow(salvaging: row) else { continue }
                    if finished || kept.download.state != .finished { try kept.store(db) }
                }
            }
        }
    }

    /// The greatest ID ever used, as far as known. Also looks at the names of files, since a
    /// process may hold a file whose row was lost.
    func lastDownload(_ files: FileStore) throws -> Int64 {
        var last = try files.names(in: files.downloads).compactMap(DownloadFile.id).max() ?? 0
        try Salvage.upToDamage {
            let kept = try index?.read { old in
                try Int64.fetchOne(
                    old, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'downloads'")
            }
            last = max(last, kept ?? 0)
        }
        return last
    }
}

extension DownloadRow {
    /// A possibly incomplete row: its download is fetched from the start, and is paused if its
    /// state is unknown.
    fileprivate init?(salvaging row: Row) {
        if let whole = try? DownloadRow(row: row) {
            self = whole
            return
        }
        guard let id: Int64 = try? row.value("id"), let url: String = try? row.value("contentURL")
        else { return nil }
        let request = DownloadRequest(
            url: url, origin: try? DownloadRow.origin(row), parent: try? row.optional("parent"),
            conditions: try? row.optional("conditions"))
        self.init(Download(request, at: .nowAsKept))
        download.id = id
        let state = try? row.named("state", Download.State.init(rawValue:))
        download.state = state?.asKept ?? .paused
    }

    /// Deletes finished downloads after a pass was lost, so that the pass is fetched again.
    static func forgetFinished(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM downloads WHERE state = 'finished'")
    }
}
