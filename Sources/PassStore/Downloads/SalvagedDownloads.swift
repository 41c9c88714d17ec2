internal import Foundation
internal import GRDB

/// What of the downloads can still be read from a damaged index.
extension Salvage {
    /// Copies downloads under the same numbers, each as far as it can be read.
    ///
    /// - Parameter finished: Whether those too that finished. Where a pass was lost, fetching it again
    ///   brings it back.
    /// - Returns: Whether those are all that there were.
    func copyDownloads(finished: Bool, to db: Database) throws -> Bool {
        guard let index else { return false }
        return try Salvage.upToDamage {
            try index.read { old in
                // It is from before there were any.
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

    /// The greatest number that a download ever had, as far as it can be told: from a file, too, which
    /// somebody may be working on.
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
    /// A row of which not everything need be readable: what is to be fetched is fetched from the start.
    /// Where nobody knows whether it is to be fetched, a person has to say so.
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

    /// Forgets those that finished: a pass was lost, and fetching it again brings it back.
    static func forgetFinished(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM downloads WHERE state = 'finished'")
    }
}
