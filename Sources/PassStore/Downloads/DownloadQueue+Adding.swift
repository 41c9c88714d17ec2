internal import Foundation
internal import GRDB

extension DownloadQueue {
    /// How long ended downloads are kept. Those of links in messages are kept forever, so that they
    /// are not fetched again whenever the message is read.
    static let memory: TimeInterval = 30 * 24 * 3600

    /// Adds downloads in one durable transaction. Downloads that are waiting or active are not
    /// added again.
    ///
    /// - Parameters:
    ///   - onlyNew: Whether ended downloads are not added again either.
    ///   - isWish: Whether the user requested these. If so, downloads that are already waiting get
    ///   these conditions and start at once. Links do not change the conditions of a request by the
    ///   user.
    /// - Returns: The new or existing download for each request; nil for a request that was not
    ///   added because its download has ended.
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
