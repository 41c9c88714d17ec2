internal import Bytes
internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

extension PassLibrary {
    /// Adds passes to the library in one durable transaction.
    ///
    /// When this returns, files and index are synced to disk. If it throws, or the process is
    /// killed first, none of the passes is in the library.
    ///
    /// A file with the manifest, verdict and signing time of a stored version of the same pass
    /// counts as that version: a gateway repackaged it.
    ///
    /// In PassKit: `PKPassLibrary.addPasses(_:withCompletionHandler:)`, which asks the user; this
    /// does not.
    ///
    /// ```swift
    /// let admissions = try library.add([incoming])
    /// print(admissions.first == .added ? "new" : "known")
    /// ```
    ///
    /// - Returns: One admission for each pass, in order.
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)``, also for a read-only instance;
    ///   ``LibraryError/locked(_:)``; ``LibraryError/replaced(_:)``.
    public func add(_ incoming: [IncomingPass]) throws(LibraryError) -> [Admission] {
        try add(incoming, onlyKnown: false).compactMap { $0?.admission }
    }

    /// Like ``add(_:)``, but also returns the version that each pass replaced as the current one.
    package func admit(_ incoming: [IncomingPass]) throws(LibraryError) -> [Admitted] {
        try add(incoming, onlyKnown: false).compactMap(\.self)
    }

    /// Like ``admit(_:)``, but only for passes that the library contains; nil for others, including
    /// those that another process removed in the meantime.
    package func admitKnown(_ incoming: [IncomingPass]) throws(LibraryError) -> [Admitted?] {
        try add(incoming, onlyKnown: true)
    }

    /// Adds a version of a pass that the library already contains.
    ///
    /// In PassKit: `PKPassLibrary.replacePass(with:)`.
    ///
    /// ```swift
    /// print(try library.replace(with: incoming) == .updated ? "updated" : "nothing new")
    /// ```
    ///
    /// - Throws: ``LibraryError/noSuchPass(_:)`` if it does not; otherwise as ``add(_:)``.
    @discardableResult
    public func replace(with incoming: IncomingPass) throws(LibraryError) -> Admission {
        guard let admitted = try add([incoming], onlyKnown: true).first ?? nil else {
            throw .noSuchPass(incoming.pass.pass.identity.description)
        }
        return admitted.admission
    }

    private func add(
        _ incoming: [IncomingPass], onlyKnown: Bool
    ) throws(LibraryError) -> [Admitted?] {
        guard !incoming.isEmpty else { return [] }
        return try mendingOnce { () throws(LibraryError) in
            try addOnce(incoming, onlyKnown: onlyKnown)
        }
    }

    private func addOnce(
        _ incoming: [IncomingPass], onlyKnown: Bool
    ) throws(LibraryError) -> [Admitted?] {
        // The lock keeps other processes from removing files in the meantime.
        return try holdingLock(for: .adding) { () throws(LibraryError) in
            let missing = try filesToWrite(incoming)
            var staged = try files.stage(missing)
            return try write { db in
                var admittance = Admittance(db, files)
                var admitted: [Admitted?] = []
                for incoming in incoming {
                    let isWanted = try !onlyKnown || visible(incoming.pass.pass.identity, db) != nil
                    admitted.append(isWanted ? try admittance.admit(incoming) : nil)
                }
                try staged.place(admittance.kept.intersection(missing.map(\.sha256)))
                try Changes.prune(db)
                return admitted
            }
        }
    }

    /// The passes whose files are not in the library yet, without duplicates.
    private func filesToWrite(
        _ incoming: [IncomingPass]
    ) throws(LibraryError) -> [(sha256: String, octets: SpooledBytes)] {
        let known = try read { db in
            let statement = try db.cachedStatement(sql: "SELECT 1 FROM versions WHERE sha256 = ?")
            return try Set(
                incoming.map(\.pass.sha256).filter { sha256 in
                    try Int.fetchOne(statement, arguments: [sha256]) != nil
                })
        }
        var seen: Set<String> = []
        return incoming.compactMap { incoming in
            let sha256 = incoming.pass.sha256
            guard seen.insert(sha256).inserted, !known.contains(sha256) || !files.contains(sha256)
            else { return nil }
            return (sha256, incoming.pass.octets)
        }
    }
}

/// Adds passes one after another within a transaction.
struct Admittance {
    /// The digests of the files that the index refers to after this.
    private(set) var kept: Set<String> = []

    private let db: Database
    private let order: VersionOrder
    private let now = Date.now.timeIntervalSince1970
    /// The passes that get their old IDs and settings; others get the next free ID.
    private let salvaged: [PassIdentity: SalvagedPass]

    init(_ db: Database, _ files: FileStore, salvaged: [PassIdentity: SalvagedPass] = [:]) {
        self.db = db
        order = VersionOrder(files)
        self.salvaged = salvaged
    }

    mutating func admit(_ incoming: IncomingPass) throws -> Admitted {
        let verified = incoming.pass
        if let known = try Admittance.version(like: verified, db) {
            kept.insert(known.sha256)
            return try meetAgain(known, incoming)
        }
        kept.insert(verified.sha256)
        let existing = try PassRecord.fetch(verified.pass.identity, db)
        var pass =
            existing ?? PassRecord(verified, like: salvaged[verified.pass.identity], at: now)
        if existing == nil { try pass.insert(db) }
        guard let passID = pass.id else { return Admitted(.unchanged) }
        var version = VersionRecord(incoming, pass: passID, at: now)
        try version.insert(db)
        guard let id = version.id else { return Admitted(.unchanged) }
        try SearchTable.keep(verified.pass.searchableText, of: id, db)
        try OriginRecord(incoming.origin, version: id).insert(db)
        let front = try pass.frontRecord(db)
        if let front, order.sorted([front, version]).first?.id == front.id {
            return Admitted(.older)
        }
        try pass.putInFront(version, change: existing == nil ? .added : .updated, now, db)
        return Admitted(
            existing == nil ? .added : .updated, replaced: front?.sha256,
            showsNotifications: pass.showsNotifications)
    }

    /// The stored version with the same octets, or with the same signed contents in another
    /// packaging. Anybody can sign the contents of a pass again: a version that only the user's
    /// authorities vouch for is never taken for one that Apple vouches for.
    static func version(
        like verified: VerifiedPass, _ db: Database
    ) throws -> VersionRecord? {
        if let same = try VersionRecord.first(
            db, "SELECT * FROM versions WHERE sha256 = ?", [verified.sha256])
        {
            return same
        }
        // Without a signature, an equal manifest proves nothing.
        guard verified.verdict != .unsigned, let manifest = verified.manifestSHA256 else {
            return nil
        }
        return try VersionRecord.first(
            db,
            """
            SELECT versions.* FROM versions JOIN passes ON passes.id = versions.pass
            WHERE passTypeIdentifier = ? AND serialNumber = ? AND manifestSHA256 = ?
                AND verdict = ? AND signedAt IS ?
                AND (verdict <> 'trusted' OR (anchorOrigin = 'apple') IS ?)
            ORDER BY versions.id
            """,
            [
                verified.pass.passTypeIdentifier, verified.pass.serialNumber, manifest,
                verified.verdict.rawValue, verified.signedAt?.timeIntervalSince1970,
                verified.anchor.map { $0.origin == .apple },
            ])
    }

    /// Adds an origin to a stored version and updates its verdict, since the user may have changed
    /// the trust settings.
    private func meetAgain(_ known: VersionRecord, _ incoming: IncomingPass) throws -> Admitted {
        var version = known
        guard let id = version.id,
            var pass = try PassRecord.first(
                db, "SELECT * FROM passes WHERE id = ?", [known.pass])
        else {
            return Admitted(.unchanged)
        }
        try OriginRecord(incoming.origin, version: id).insert(db)
        if let date = incoming.origin.date?.timeIntervalSince1970 {
            version.firstSeen = min(version.firstSeen ?? date, date)
        }
        version.verdict = incoming.pass.verdict
        version.reasons = incoming.pass.reasons.map(StoredFinding.init)
        version.notes = incoming.pass.notes.map(StoredFinding.init)
        version.signedAt = incoming.pass.signedAt?.timeIntervalSince1970
        // An anchor given for this occasion does not replace one that was kept.
        if incoming.pass.anchor?.origin != .given || known.anchorOrigin == nil {
            version.note(incoming.pass.anchor)
        }
        guard try version.updateChanges(db, from: known), let best = try order.best(pass, db) else {
            return Admitted(.unchanged)
        }
        let isJudgedAnew = best.id == id && version.verdict != known.verdict
        guard best.id != pass.front || isJudgedAnew else {
            return Admitted(.unchanged)
        }
        let front = try pass.frontRecord(db)
        try pass.putInFront(best, change: .updated, now, db)
        return Admitted(
            .updated, replaced: best.id == id ? front?.sha256 : nil,
            showsNotifications: pass.showsNotifications)
    }
}
