internal import Foundation
internal import GRDB

extension DownloadQueue {
    /// How long downloads are kept that ended. What a link in a mail led to is kept for good, so that
    /// it is not fetched again whenever the mail is read.
    static let memory: TimeInterval = 30 * 24 * 3600

    /// Has something downloaded: durable, and all together. What waits or is on its way already is
    /// not added again.
    ///
    /// - Parameters:
    ///   - onlyNew: Whether what ended is not added again either.
    ///   - isWish: Whether a person named these: what waits goes on under these conditions, and at once.
    ///     What a link leads to has no say in what somebody asked for.
    /// - Returns: For each request its download: the new one, or that which is there; nil for one that
    ///   is not added since it ended.
    /// - Throws: As ``pause(_:)``.
    @discardableResult
    package func add(
        _ requests: [DownloadRequest], onlyNew: Bool = false, isWish: Bool = true
    ) throws(LibraryError) -> [Download?] {
        guard !requests.isEmpty else { return [] }
        let downloads = try change { db in
            try forgetOld(db)
            return try requests.map { request -> Download? in
                let known = try DownloadRow.last(request.url, db)?.download
                if let known, !known.state.isEnded {
                    guard isWish else { return known }
                    var row = DownloadRow(known)
                    row.download.conditions = request.conditions
                    row.download.nextAttempt = nil
                    if row.download != known { try row.store(db) }
                    return row.download
                }
                if known != nil, onlyNew { return nil }
                var row = DownloadRow(Download(request, at: .nowAsKept))
                try row.store(db)
                return row.download
            }
        }
        let files = Set(try names())
        return downloads.map { $0.map { asSeen($0, files) } }
    }

    private func forgetOld(_ db: Database) throws {
        try db.run(
            """
            DELETE FROM downloads
            WHERE state NOT IN ('waiting', 'paused') AND updatedAt < ? AND source IS NULL
            """, [Date.now.timeIntervalSince1970 - Self.memory])
    }
}
