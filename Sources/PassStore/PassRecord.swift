internal import GRDB
internal import PassModel

/// A row of `passes`.
struct PassRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "passes"

    private(set) var id: Int64?
    let passTypeIdentifier: String
    let serialNumber: String
    private(set) var front: Int64?
    private(set) var organizationName: String
    private(set) var description: String
    private(set) var relevantDate: Double?
    private(set) var updatedAt: Double
    private(set) var updatesAutomatically = true
    private(set) var showsNotifications = true

    var identity: PassIdentity {
        PassIdentity(passTypeIdentifier: passTypeIdentifier, serialNumber: serialNumber)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// Turns a setting on or off. Returns whether this is a change.
    mutating func turn(_ setting: PassSetting, _ isOn: Bool, _ db: Database) throws -> Bool {
        let old = self
        switch setting {
        case .updatesAutomatically: updatesAutomatically = isOn
        case .showsNotifications: showsNotifications = isOn
        }
        return try updateChanges(db, from: old)
    }

    /// Makes a version the current one in the lists and the search index, and records the change.
    mutating func putInFront(
        _ version: VersionRecord, change: Changes.Kind, _ now: Double, _ db: Database
    ) throws {
        front = version.id
        organizationName = version.organizationName
        description = version.description
        relevantDate = version.relevantDate
        updatedAt = now
        try update(db)
        try SearchTable.index(self, db)
        try Changes.note(change, identity, now, db)
    }
}

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
        // An index opened read-only may lack these columns.
        updatesAutomatically = try row.optional("updatesAutomatically") ?? true
        showsNotifications = try row.optional("showsNotifications") ?? true
    }
}
