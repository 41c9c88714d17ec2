package import Foundation
internal import GRDB

/// The schedule and results of update requests.
extension PassLibrary {
    /// Trusted passes whose current version was not yet examined for a web service, in order of
    /// their IDs.
    package func passesToLookAt(
        after number: Int64, limit: Int
    ) throws(LibraryError) -> [StoredPass] {
        try read { db in
            let passes = try PassRecord.fetchAll(
                db,
                sql: """
                    SELECT passes.* FROM passes
                    JOIN versions ON versions.id = passes.front AND versions.verdict = 'trusted'
                    LEFT JOIN updates ON updates.version = passes.front
                    WHERE passes.id > ? AND updates.version IS NULL ORDER BY passes.id LIMIT ?
                    """,
                arguments: [number, limit])
            return try StoredPass.load(passes, db)
        }
    }

    /// Stores the web services of versions, nil for those without one, and the records of responses
    /// whose versions are still current, in one transaction.
    ///
    /// - Parameter times: The times before which hosts must not be contacted. Their requests are
    ///   postponed until then, whatever their records contain.
    package func keep(
        _ services: [(version: StoredVersion, service: WebService?)] = [],
        _ notes: [UpdateNote] = [], leavingAlone times: [String: Date] = [:]
    ) throws(LibraryError) {
        guard !services.isEmpty || !notes.isEmpty || !times.isEmpty else { return }
        try write { db in
            for (version, service) in services {
                // Another process may have removed it.
                try db.run(
                    """
                    INSERT OR REPLACE INTO updates (pass, version, url, token, host)
                    SELECT pass, id, ?, ?, ? FROM versions WHERE id = ? AND sha256 = ?
                    """,
                    [service?.url, service?.token, service?.host, version.id, version.sha256])
            }
            for note in notes {
                try db.run(
                    """
                    UPDATE updates SET lastModified = ifnull(?, lastModified), askedAt = ?, dueAt = ?,
                        failures = ?, outcome = ?, detail = NULL, failure = ?
                    WHERE pass = ? AND version = ?
                    """,
                    [
                        note.lastModified, note.askedAt.timeIntervalSince1970,
                        note.dueAt?.timeIntervalSince1970, note.failures, note.outcome,
                        note.failure, note.pass, note.version,
                    ])
            }
            for (host, time) in times {
                try db.run(
                    "UPDATE updates SET dueAt = ?1 WHERE host = ?2 AND dueAt < ?1",
                    [time.timeIntervalSince1970, host])
            }
        }
    }

    /// Resets times that were stored while the clock was ahead: the schedules of hosts with a
    /// request in the future, and the times of logs that are too far ahead.
    /// Passes that are never requested again stay so.
    package func forgetUpdates(after now: Date) throws(LibraryError) {
        try write { db in
            try db.run(
                """
                UPDATE updates SET dueAt = iif(dueAt IS NULL, NULL, 0),
                    askedAt = iif(askedAt > ?1, 0, askedAt)
                WHERE host IN (SELECT host FROM updates WHERE askedAt > ?1)
                """,
                [now.timeIntervalSince1970])
            try db.run(
                "UPDATE services SET logAt = 0 WHERE logAt > ?",
                [now.timeIntervalSince1970 + ServiceLogs.longestTime])
        }
    }

    /// The time at which the next pass is due; nil if none is.
    ///
    /// - Parameter includesHTTP: Whether to include passes whose web service is `http:`.
    package func nextUpdate(includingHTTP includesHTTP: Bool) throws(LibraryError) -> Date? {
        try read { db in
            let seconds = try Double.fetchOne(
                db,
                sql: """
                    SELECT min(dueAt) FROM \(UpdateRecord.inForce)
                    WHERE url IS NOT NULL AND (? OR url LIKE 'https:%')
                        AND \(UpdateRecord.isAutomatic)
                    """,
                arguments: [includesHTTP])
            return seconds.map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// The hosts of passes that are due, with the number of passes; the least recently contacted
    /// host first. Without passes whose automatic updates are off.
    ///
    /// - Parameter time: Nil for all passes with a web service.
    package func hostsOfUpdates(
        dueAt time: Date?
    ) throws(LibraryError) -> [(host: String, passes: Int)] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT host, count(*) AS passes FROM \(UpdateRecord.inForce)
                    WHERE url IS NOT NULL AND (?1 IS NULL OR dueAt <= ?1)
                        AND \(UpdateRecord.isAutomatic)
                    GROUP BY host ORDER BY min(askedAt), host
                    """,
                arguments: [time?.timeIntervalSince1970]
            ).map { row in (try row.value("host"), try row.value("passes")) }
        }
    }

    /// A page of the passes of a host that are due, the least recently requested first. Without
    /// passes whose automatic updates are off.
    ///
    /// - Parameters:
    ///   - time: Nil for all passes with a web service.
    ///   - start: Excludes passes requested since then.
    ///   - last: The last pass of the previous page.
    package func updates(
        from host: String, dueAt time: Date?, notAskedSince start: Date, after last: PassUpdate?,
        limit: Int
    ) throws(LibraryError) -> [PassUpdate] {
        try read { db in
            let records = try UpdateRecord.fetchAll(
                db,
                sql: """
                    \(UpdateRecord.all)
                    WHERE host = ?1 AND (?2 IS NULL OR updates.dueAt <= ?2) AND askedAt < ?3
                        AND (askedAt, updates.pass) > (?4, ?5) AND \(UpdateRecord.isAutomatic)
                    ORDER BY askedAt, updates.pass LIMIT ?6
                    """,
                arguments: [
                    host, time?.timeIntervalSince1970, start.timeIntervalSince1970,
                    last?.askedAt.timeIntervalSince1970 ?? -1, last?.stored.id ?? 0, limit,
                ])
            return try PassUpdate.load(records, db)
        }
    }

    /// The update state of a pass, even if its automatic updates are off; nil without a usable web
    /// service.
    package func update(of pass: StoredPass) throws(LibraryError) -> PassUpdate? {
        try read { db in
            let records = try UpdateRecord.fetchAll(
                db,
                sql: """
                    \(UpdateRecord.all)
                    WHERE updates.pass = ? AND updates.url IS NOT NULL
                    """,
                arguments: [pass.id])
            return try PassUpdate.load(records, db).first
        }
    }
}
