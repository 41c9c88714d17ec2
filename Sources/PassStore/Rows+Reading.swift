internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// Rows are decoded column by column: setting up Swift's derived `Decodable` takes longer than
/// reading the columns of a page.
extension PassRecord {
    init(row: Row) throws {
        id = try row.value("id")
        passTypeIdentifier = try row.value("passTypeIdentifier")
        serialNumber = try row.value("serialNumber")
        front = try row.optional("front")
        organizationName = try row.value("organizationName")
        description = try row.value("description")
        relevantDate = try row.optional("relevantDate")
        updatedAt = try row.value("updatedAt")
    }
}

extension VersionRecord {
    init(row: Row) throws {
        id = try row.value("id")
        pass = try row.value("pass")
        sha256 = try row.value("sha256")
        size = try row.value("size")
        manifestSHA256 = try row.optional("manifestSHA256")
        verdict = try row.named("verdict", Verdict.init(rawValue:))
        reasons = try StoredFinding.read(row.value("reasons"))
        notes = try StoredFinding.read(row.value("notes"))
        signedAt = try row.optional("signedAt")
        firstSeen = try row.optional("firstSeen")
        importedAt = try row.value("importedAt")
        teamIdentifier = try row.value("teamIdentifier")
        organizationName = try row.value("organizationName")
        description = try row.value("description")
        style = try row.holds("style") ? row.named("style", PassStyle.init(rawValue:)) : nil
        relevantDate = try row.optional("relevantDate")
        expirationDate = try row.optional("expirationDate")
        isVoided = try row.value("isVoided")
        relevantDates = try row.relevantDates()
    }
}

extension OriginRecord {
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

/// Values are validated: the file may have been modified by others.
extension Row {
    fileprivate func holds(_ column: String) -> Bool { stored(column) != nil }

    func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
        guard let stored = stored(column) else { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw unreadable(column) }
        return value
    }

    /// The value of a column that must not be NULL.
    func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        guard let value: Value = try optional(column) else { throw unreadable(column) }
        return value
    }

    func named<Value>(_ column: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = read(try value(column)) else { throw unreadable(column) }
        return value
    }

    /// Most versions have at most one date, and an index opened read-only may lack the column.
    fileprivate func relevantDates() throws -> [RelevantDateRecord]? {
        let text: String? = try optional("relevantDates")
        return try text.map {
            try JSONDecoder().decode([RelevantDateRecord].self, from: Data($0.utf8))
        }
    }

    private func stored(_ column: String) -> DatabaseValue? {
        let value: (any DatabaseValueConvertible)? = self[column]
        return value?.databaseValue
    }

    private func unreadable(_ column: String) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: [], debugDescription: column))
    }
}
