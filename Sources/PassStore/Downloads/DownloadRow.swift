internal import Bytes
internal import Foundation
internal import GRDB

/// A row of `downloads`. Its state is never `active`: a download is active while a process holds
/// the lock on its file.
struct DownloadRow: FetchableRecord {
    var download: Download

    init(_ download: Download) {
        self.download = download
    }

    init(row: Row) throws {
        let code: String? = try row.optional("errorCode")
        let text: String? = try row.optional("errorDetail")
        let failure: String? = try row.optional("failure")
        let timeRemaining: Double? = try row.optional("timeRemaining")
        let state = try row.named("state", Download.State.init(exactly:))
        download = Download(
            id: try row.value("id"),
            contentURL: try row.value("contentURL"),
            origin: try DownloadRow.origin(row),
            parent: try row.optional("parent"),
            conditions: try row.optional("conditions"),
            state: state.asKept,
            expectedContentLength: try row.optional("expectedContentLength"),
            receivedContentLength: try row.value("receivedContentLength"),
            timeRemaining: timeRemaining.map { .seconds($0) },
            error: code.map { DownloadError(code: $0, failure: failure, text: text) },
            attempts: try row.value("attempts"),
            nextAttempt: try row.date("nextAttempt"),
            createdAt: Date(timeIntervalSince1970: try row.value("createdAt")),
            updatedAt: Date(timeIntervalSince1970: try row.value("updatedAt")),
            outcome: try row.optional("outcome"),
            url: try row.optional("url"),
            contentType: try row.optional("contentType"),
            contentDisposition: try row.optional("contentDisposition"),
            validator: try row.optional("validator"),
            wasResumed: try row.value("wasResumed"))
    }

    /// The message with the link; nil if there is none.
    static func origin(_ row: Row) throws -> Origin? {
        guard let source: String = try row.optional("source") else { return nil }
        return Origin(
            source: source, messageID: try row.optional("messageID"),
            from: try row.optional("from"), date: try row.date("date"),
            subject: try row.optional("subject"), part: try row.optional("part"))
    }

    static func fetch(_ id: Int64, _ db: Database) throws -> Download? {
        try first(db, "SELECT * FROM downloads WHERE id = ?", [id])?.download
    }

    /// The unfinished download of a URL, of which there is at most one; otherwise the last ended
    /// one.
    static func last(_ url: String, _ db: Database) throws -> DownloadRow? {
        try first(
            db,
            """
            SELECT * FROM downloads WHERE contentURL = ?
            ORDER BY state IN ('waiting', 'paused') DESC, id DESC LIMIT 1
            """, [url])
    }

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

    /// Deletes finished downloads after a pass was lost, so that the pass is fetched again.
    static func forgetFinished(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM downloads WHERE state = 'finished'")
    }

    /// Stores the row under its ID, or under the next free one if it has none.
    mutating func store(_ db: Database) throws {
        let origin = download.origin
        try db.run(
            """
            INSERT OR REPLACE INTO downloads (
                id, contentURL, source, messageID, "from", date, subject, part, parent, conditions,
                state, expectedContentLength, receivedContentLength, timeRemaining, errorCode,
                errorDetail, attempts, nextAttempt, createdAt, updatedAt, outcome, url, contentType,
                contentDisposition, validator, wasResumed, failure)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                download.id == 0 ? nil : download.id, download.contentURL, origin?.source,
                origin?.messageID, origin?.from, origin?.date?.timeIntervalSince1970,
                origin?.subject, origin?.part, download.parent, download.conditions,
                download.state.asKept.rawValue, download.expectedContentLength,
                download.receivedContentLength, download.timeRemaining.map { $0 / .seconds(1) },
                download.error?.code, download.error?.text, download.attempts,
                download.nextAttempt?.timeIntervalSince1970,
                download.createdAt.timeIntervalSince1970,
                download.updatedAt.timeIntervalSince1970, download.outcome, download.url,
                download.contentType, download.contentDisposition, download.validator,
                download.wasResumed, download.error?.failure,
            ])
        download.id = db.lastInsertedRowID
    }
}

extension Download.State {
    /// The state in the row.
    var asKept: Download.State { self == .active ? .waiting : self }
}

extension Date {
    /// The current time, in the precision of a row.
    static var nowAsKept: Date { Date(timeIntervalSince1970: Date.now.timeIntervalSince1970) }
}

extension Row {
    fileprivate func date(_ column: String) throws -> Date? {
        let seconds: Double? = try optional(column)
        return seconds.map(Date.init(timeIntervalSince1970:))
    }
}
