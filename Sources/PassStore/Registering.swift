package import Foundation
internal import GRDB
internal import PassModel

/// Registrations at web services that announce their event stream.
extension PassLibrary {
    /// The services that announce their event stream.
    package func eventServices() throws(LibraryError) -> [EventService] {
        try read { db in
            try ServiceRecord.fetchAll(
                db, sql: "\(ServiceRecord.all) WHERE announcesEvents = 1 ORDER BY services.id"
            ).map { service in try service.loaded(db) }
        }
    }

    /// Records that a service announces its event stream. The library gets an identifier at its
    /// host if it has none.
    package func addEventService(
        _ url: String, host: String
    ) throws(LibraryError) -> EventService {
        try write { db in
            try db.run(
                "INSERT INTO devices (host, identifier) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [host, randomIdentifier()])
            try db.run(
                """
                INSERT INTO services (url, host, announcesEvents) VALUES (?, ?, 1)
                ON CONFLICT (url) DO UPDATE SET announcesEvents = 1
                """,
                [url, host])
            guard
                let service = try ServiceRecord.fetchOne(
                    db, sql: "\(ServiceRecord.all) WHERE url = ?", arguments: [url])
            else { throw LibraryError.corrupted(path: files.root, reason: .danglingRow) }
            return try service.loaded(db)
        }
    }

    /// Records that a service no longer announces its event stream. Its passes are requested one by
    /// one again.
    package func removeEventService(_ service: EventService) throws(LibraryError) {
        try write { db in
            try db.run("UPDATE services SET announcesEvents = 0 WHERE id = ?", [service.id])
            // If it announces the stream again, it may have lost its registrations meanwhile.
            try expireRegistrations(at: service, db)
        }
    }

    /// Records results, in order and in one transaction.
    package func keep(_ notes: [RegistrationNote]) throws(LibraryError) {
        guard !notes.isEmpty else { return }
        try write { db in
            for note in notes { try note.store(db) }
        }
    }

    /// Marks the registrations to be ended: those of passes that are no longer in the library, have
    /// another web service now, are not trusted, or are not updated automatically.
    package func markLeavingRegistrations() throws(LibraryError) {
        let marking = """
            state <> 'leaving' AND NOT EXISTS (
                SELECT 1 FROM \(UpdateRecord.inForce)
                WHERE updates.url = registrations.url AND \(UpdateRecord.isAutomatic))
            """
        let isNeeded = try read { db in
            try Int.fetchOne(db, sql: "SELECT 1 FROM registrations WHERE \(marking) LIMIT 1") != nil
        }
        guard isNeeded else { return }
        try write { db in
            try db.execute(
                sql: """
                    UPDATE registrations SET state = 'leaving', dueAt = 0, attempts = 0
                    WHERE \(marking)
                    """)
        }
    }

    /// The registrations to be ended at this time, in order of their URLs.
    package func leavingRegistrations(
        at time: Date, after url: String?, limit: Int
    ) throws(LibraryError) -> [LeavingRegistration] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM registrations
                    WHERE state = 'leaving' AND dueAt <= ? AND url > ? ORDER BY url LIMIT ?
                    """,
                arguments: [time.timeIntervalSince1970, url ?? "", limit])
            return try rows.compactMap { row in
                let id: Int64 = try row.value("service")
                guard
                    let service = try ServiceRecord.fetchOne(
                        db, sql: "\(ServiceRecord.all) WHERE services.id = ?", arguments: [id])
                else { return nil }
                return LeavingRegistration(
                    url: try row.value("url"),
                    identity: PassIdentity(
                        passTypeIdentifier: try row.value("passTypeIdentifier"),
                        serialNumber: try row.value("serialNumber")),
                    token: try row.value("token"), attempts: try row.value("attempts"),
                    service: try service.loaded(db))
            }
        }
    }

    /// The pass types with registered passes at a service.
    package func registeredTypes(at service: EventService) throws(LibraryError) -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT passTypeIdentifier FROM registrations
                    WHERE service = ? AND state = 'registered' ORDER BY passTypeIdentifier
                    """,
                arguments: [service.id])
        }
    }

    /// Whether any pass of a type is registered at a service.
    package func isRegistered(
        _ type: String, at service: EventService
    ) throws(LibraryError) -> Bool {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM registrations
                    WHERE service = ? AND passTypeIdentifier = ? AND state = 'registered' LIMIT 1
                    """,
                arguments: [service.id, type]) != nil
        }
    }

    /// The registered passes among these serial numbers.
    package func updates(
        at service: EventService, ofType type: String, serialNumbers: [String]
    ) throws(LibraryError) -> [PassUpdate] {
        try read { db in
            var records: [UpdateRecord] = []
            for serialNumber in serialNumbers {
                records += try UpdateRecord.fetchAll(
                    db.cachedStatement(
                        sql: """
                            \(UpdateRecord.all)
                            WHERE registrations.service = ? AND registrations.state = 'registered'
                                AND registrations.passTypeIdentifier = ?
                                AND registrations.serialNumber = ?
                                AND \(UpdateRecord.isAutomatic)
                            """),
                    arguments: [service.id, type, serialNumber])
            }
            return try PassUpdate.load(records, db)
        }
    }

    /// The number of these serial numbers without a registration, not even one to be ended.
    package func unknownRegistrations(
        at service: EventService, ofType type: String, serialNumbers: [String]
    ) throws(LibraryError) -> Int {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM registrations
                    WHERE service = ? AND passTypeIdentifier = ? AND serialNumber = ?
                    """)
            return try serialNumbers.count { serialNumber in
                try Int.fetchOne(statement, arguments: [service.id, type, serialNumber]) == nil
            }
        }
    }

    /// Makes the passes of a service due, so that they are registered again: the service has lost
    /// its registrations.
    package func registerAgain(at service: EventService) throws(LibraryError) {
        try write { db in
            try db.run(
                """
                UPDATE updates SET dueAt = 0
                WHERE dueAt IS NOT NULL AND url IN (
                    SELECT url FROM registrations WHERE service = ? AND state = 'registered')
                """,
                [service.id])
            try expireRegistrations(at: service, db)
        }
    }

    private func expireRegistrations(at service: EventService, _ db: Database) throws {
        try db.run(
            """
            UPDATE registrations SET state = 'refused', dueAt = 0
            WHERE service = ? AND state = 'registered'
            """,
            [service.id])
        try db.run("DELETE FROM tags WHERE service = ?", [service.id])
    }

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
}

private struct ServiceRecord: FetchableRecord {
    static let all = "SELECT services.*, identifier FROM services JOIN devices USING (host)"

    let id: Int64
    let url: String
    let host: String
    let device: String

    init(row: Row) throws {
        id = try row.value("id")
        url = try row.value("url")
        host = try row.value("host")
        device = try row.value("identifier")
    }

    func loaded(_ db: Database) throws -> EventService {
        let rows = try Row.fetchAll(
            db, sql: "SELECT passTypeIdentifier, tag FROM tags WHERE service = ?",
            arguments: [id])
        var tags: [ExactText: String] = [:]
        for row in rows {
            tags[ExactText(try row.value("passTypeIdentifier"))] = try row.value("tag")
        }
        return EventService(id: id, url: url, host: host, device: device, tags: tags)
    }
}

extension RegistrationNote {
    /// How far ahead times can be: table, column, and seconds. Later times were stored while the
    /// clock was ahead.
    static let longestTimes = [
        ("registrations", "dueAt", 8 * 24 * 3600.0), ("services", "logAt", 31 * 24 * 3600.0),
    ]

    /// Reads all rows; throws if one is unreadable.
    static func check(_ db: Database) throws {
        let registrations = try Row.fetchCursor(db, sql: "SELECT * FROM registrations")
        while let row = try registrations.next() {
            _ = try PassRegistration(row: row)
            let _: String = try row.value("url")
            let _: Int = try row.value("attempts")
        }
        for service in try ServiceRecord.fetchAll(db, sql: ServiceRecord.all) {
            _ = try service.loaded(db)
        }
    }

    fileprivate func store(_ db: Database) throws {
        switch self {
        case .made(let update, let service, let state, let dueAt):
            let identity = update.stored.identity
            try db.run(
                """
                INSERT OR REPLACE INTO registrations
                    (url, service, passTypeIdentifier, serialNumber, token, state, dueAt)
                SELECT ?, id, ?, ?, ?, ?, ? FROM services WHERE id = ?
                """,
                [
                    update.service.url, identity.passTypeIdentifier, identity.serialNumber,
                    update.service.token, state.rawValue, dueAt.timeIntervalSince1970, service,
                ])
        case .ended(let leaving):
            // It may have been registered again in the meantime.
            try db.run(
                "DELETE FROM registrations WHERE url = ? AND state = 'leaving'", [leaving.url])
        case .notEnded(let leaving, let dueAt):
            try db.run(
                """
                UPDATE registrations SET attempts = attempts + 1, dueAt = ?
                WHERE url = ? AND state = 'leaving'
                """,
                [dueAt.timeIntervalSince1970, leaving.url])
        case .listed(let service, let type, let tag):
            try db.run(
                """
                INSERT OR REPLACE INTO tags (service, passTypeIdentifier, tag)
                SELECT id, ?, ? FROM services WHERE id = ?
                """,
                [type, tag, service])
        }
    }
}

/// 128 random bits, as hexadecimal digits.
private func randomIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<2).map { _ in
        let text = String(generator.next(), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits.joined()
}
