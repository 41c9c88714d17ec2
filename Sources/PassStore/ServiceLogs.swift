package import Foundation
internal import GRDB

/// The logs of web services, to which mistakes are reported.
extension PassLibrary {
    /// Whether messages may be sent to the log of a service now. If so, records when the next
    /// messages may be sent.
    package func mayLog(
        to url: String, host: String, at now: Date, next: Date
    ) throws(LibraryError) -> Bool {
        try write { db in
            try db.run(
                "INSERT INTO services (url, host) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [url, host])
            try db.run(
                "UPDATE services SET logAt = ?1 WHERE url = ?2 AND logAt <= ?3",
                [next.timeIntervalSince1970, url, now.timeIntervalSince1970])
            return db.changesCount > 0
        }
    }

    /// Sends no messages to the log of a service before a time.
    package func postponeLog(of url: String, until time: Date) throws(LibraryError) {
        try write { db in
            try db.run(
                "UPDATE services SET logAt = ? WHERE url = ?", [time.timeIntervalSince1970, url])
        }
    }
}

/// The table of web services.
enum ServiceLogs {
    /// How far ahead the time of a log can be, in seconds. Later times were stored while the clock
    /// was ahead.
    static let longestTime = 31 * 24 * 3600.0

    /// Reads all rows; throws if one is unreadable.
    static func check(_ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM services")
        while let row = try rows.next() {
            let _: String = try row.value("url")
            let _: String = try row.value("host")
            let _: Double = try row.value("logAt")
        }
    }
}
