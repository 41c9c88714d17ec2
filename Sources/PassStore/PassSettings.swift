internal import Foundation
internal import GRDB
package import PassModel

/// A setting of a pass, as on its back in Wallet. Both settings are on until the user turns them
/// off; new versions of the pass do not change them.
package enum PassSetting: String, Sendable {
    /// ``StoredPass/updatesAutomatically``.
    case updatesAutomatically
    /// ``StoredPass/showsNotifications``.
    case showsNotifications
}

extension PassLibrary {
    /// Turns a setting of passes on or off, in one durable transaction.
    ///
    /// - Returns: The passes as they are now, in order, without those removed in the meantime.
    /// - Throws: As ``remove(_:)``.
    @discardableResult
    package func set(
        _ setting: PassSetting, to isOn: Bool, of passes: [PassIdentity]
    ) throws(LibraryError) -> [StoredPass] {
        try changingSettings { db in
            let now = Date.now.timeIntervalSince1970
            var records: [PassRecord] = []
            for identity in passes {
                guard var pass = try visible(identity, db) else { continue }
                if try pass.turn(setting, isOn, db) {
                    // It may have changed meanwhile.
                    if setting == .updatesAutomatically, isOn, let id = pass.id {
                        try db.run(
                            "UPDATE updates SET dueAt = 0 WHERE pass = ? AND dueAt > 0", [id])
                    }
                    try Changes.note(.updated, identity, now, db)
                }
                records.append(pass)
            }
            return try StoredPass.load(records, db)
        }
    }

    /// Whether passes are updated automatically, apart from those whose own setting is off.
    package func updatesAutomatically() throws(LibraryError) -> Bool {
        try read { db in
            // An index opened read-only may lack the table.
            guard try db.tableExists("settings") else { return true }
            return try LibrarySetting.updatesAutomatically.isOn(db)
        }
    }

    /// Turns automatic updates of all passes on or off. Settings of single passes do not change.
    ///
    /// - Throws: As ``remove(_:)``.
    package func setUpdatesAutomatically(_ isOn: Bool) throws(LibraryError) {
        try changingSettings { db in
            let setting = LibrarySetting.updatesAutomatically
            guard try setting.isOn(db) != isOn else { return }
            try setting.turn(isOn, db)
            // Registrations at web services may have ended.
            try Changes.note(
                .everything, PassIdentity(passTypeIdentifier: "", serialNumber: ""),
                Date.now.timeIntervalSince1970, db)
        }
    }

    /// Holds the lock, whose release makes other processes look for changes.
    private func changingSettings<Value>(
        _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        try mendingOnce { () throws(LibraryError) in
            try holdingLock(for: .adding) { () throws(LibraryError) in try write(body) }
        }
    }
}

/// A row of `settings`: a setting of the whole library, on until the user turns it off.
enum LibrarySetting: String {
    case updatesAutomatically

    /// A query for the names of the settings that are off.
    static let thoseOff = "SELECT name FROM settings WHERE value = 0"

    func isOn(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT ? NOT IN (\(LibrarySetting.thoseOff))", arguments: [rawValue]) ?? true
    }

    func turn(_ isOn: Bool, _ db: Database) throws {
        try db.run("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", [rawValue, isOn])
    }
}
