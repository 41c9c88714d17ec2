internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// A row of `passes`.
struct PassRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "passes"

    var id: Int64?
    var passTypeIdentifier: String
    var serialNumber: String
    var front: Int64?
    var organizationName: String
    var description: String
    var relevantDate: Double?
    var updatedAt: Double

    var identity: PassIdentity {
        PassIdentity(passTypeIdentifier: passTypeIdentifier, serialNumber: serialNumber)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A row of `versions`. Times are in seconds since 1970, exact for the whole seconds of signatures.
struct VersionRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "versions"

    var id: Int64?
    var pass: Int64
    var sha256: String
    var size: Int
    var manifestSHA256: String?
    var verdict: Verdict
    var reasons: [StoredFinding]
    var notes: [StoredFinding]
    var signedAt: Double?
    var firstSeen: Double?
    var importedAt: Double
    var teamIdentifier: String
    var organizationName: String
    var description: String
    var style: PassStyle?
    var relevantDate: Double?
    var expirationDate: Double?
    var isVoided: Bool
    /// Nil if `relevantDate` is the only date.
    var relevantDates: [RelevantDateRecord]?

    static func databaseJSONEncoder(for column: String) -> JSONEncoder { StoredFinding.encoder }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    var rank: VersionRank {
        VersionRank(
            verdict: verdict, signedAt: signedAt.map(Date.init(timeIntervalSince1970:)),
            firstSeen: firstSeen.map(Date.init(timeIntervalSince1970:)), sha256: sha256)
    }

    func stored(origins: [Origin]) -> StoredVersion {
        StoredVersion(
            id: id ?? 0, passID: pass, sha256: sha256, size: size,
            manifestSHA256: manifestSHA256, verdict: verdict,
            reasons: reasons.map(\.finding), notes: notes.map(\.finding),
            signedAt: signedAt.map(Date.init(timeIntervalSince1970:)),
            importedAt: Date(timeIntervalSince1970: importedAt), teamIdentifier: teamIdentifier,
            organizationName: organizationName, description: description, style: style,
            relevantDate: relevantDate.map(Date.init(timeIntervalSince1970:)),
            expirationDate: expirationDate.map(Date.init(timeIntervalSince1970:)),
            relevantDates: relevantDates?.map(\.relevantDate)
                ?? relevantDate.map { [RelevantDate(date: Date(timeIntervalSince1970: $0))] } ?? [],
            isVoided: isVoided, origins: origins)
    }
}

/// A relevant date or interval of a version. Times are in seconds since 1970.
struct RelevantDateRecord: Codable {
    var date: Double?
    var startDate: Double?
    var endDate: Double?

    /// A season has some dozens of dates; more would slow down the list of passes.
    private static let limit = 200

    /// Nil if the pass has a single date.
    ///
    /// - Parameter now: Past dates are dropped first if there are more than the limit.
    static func records(of pass: Pass, now: Date) -> [RelevantDateRecord]? {
        let dates = pass.relevantDates
        let isSingle = dates.allSatisfy {
            $0.endDate == nil && ($0.date ?? $0.startDate) == pass.relevantDate
        }
        if isSingle { return nil }
        let ahead = dates.filter { ($0.endDate ?? $0.date ?? $0.startDate ?? .distantFuture) > now }
        let kept = dates.count <= limit || ahead.isEmpty ? dates : ahead
        return kept.prefix(limit).map(RelevantDateRecord.init)
    }

    private init(_ date: RelevantDate) {
        self.date = date.date?.timeIntervalSince1970
        startDate = date.startDate?.timeIntervalSince1970
        endDate = date.endDate?.timeIntervalSince1970
    }

    var relevantDate: RelevantDate {
        RelevantDate(
            date: date.map(Date.init(timeIntervalSince1970:)),
            startDate: startDate.map(Date.init(timeIntervalSince1970:)),
            endDate: endDate.map(Date.init(timeIntervalSince1970:)))
    }
}

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
}

/// Statements used for every pass are prepared once.
extension Database {
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension FetchableRecord {
    static func first(
        _ db: Database, _ sql: String, _ arguments: StatementArguments
    ) throws -> Self? {
        try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
