internal import Foundation
internal import GRDB

/// A row of `origins`.
struct OriginRecord: FetchableRecord {
    var version: Int64
    var source: String
    var messageID: String?
    var from: String?
    var date: Double?
    var subject: String?
    var part: String?

    var origin: Origin {
        Origin(
            source: source, messageID: messageID, from: from,
            date: date.map(Date.init(timeIntervalSince1970:)), subject: subject, part: part)
    }

    /// Duplicate origins of a version are stored once.
    func insert(_ db: Database) throws {
        try db.run(
            """
            INSERT OR IGNORE INTO origins (version, source, messageID, "from", date, subject, part)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, [version, source, messageID, from, date, subject, part])
    }
}

extension OriginRecord {
    init(_ origin: Origin, version: Int64) {
        self.init(
            version: version, source: origin.source, messageID: origin.messageID,
            from: origin.from, date: origin.date?.timeIntervalSince1970, subject: origin.subject,
            part: origin.part)
    }

    init(row: Row) throws {
        version = try row.value("version")
        source = try row.value("source")
        messageID = try row.optional("messageID")
        from = try row.optional("from")
        date = try row.optional("date")
        subject = try row.optional("subject")
        part = try row.optional("part")
    }
}
