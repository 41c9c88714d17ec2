internal import Bytes
package import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

extension PassLibrary {
    /// Adds passes to the library in one durable transaction.
    ///
    /// When this returns, files and index are synced to disk. If it throws, or the process is
    /// killed first, none of the passes is in the library.
    ///
    /// If the same key signed the same manifest and attributes in a file as in that of a stored
    /// version, and either is trusted, it is a copy of that version, such as one that a gateway
    /// repackaged. The better
    /// copy is stored: the one that is vouched for better, or else has fewer findings for which
    /// Wallet refuses it, or else fewer findings. Either way, the result is
    /// ``Admission/unchanged``, unless another version is current now, or the current one has
    /// another verdict. The file of a worse copy is deleted a day after it was replaced.
    ///
    /// A file that was trusted stays so if nothing is said against it but that its authority is not
    /// trusted this time, or that certificates are not valid at the time of this verification.
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
    ///
    /// - Parameter arrival: When the versions arrived: the same time for all of an import.
    package func admit(
        _ incoming: [IncomingPass], arrival: Date = .now
    ) throws(LibraryError) -> [Admitted] {
        try add(incoming, onlyKnown: false, arrival: arrival).compactMap(\.self)
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
        _ incoming: [IncomingPass], onlyKnown: Bool, arrival: Date = .now
    ) throws(LibraryError) -> [Admitted?] {
        guard !incoming.isEmpty else { return [] }
        return try mendingOnce { () throws(LibraryError) in
            try addOnce(incoming, onlyKnown: onlyKnown, arrival: arrival)
        }
    }

    private func addOnce(
        _ incoming: [IncomingPass], onlyKnown: Bool, arrival: Date
    ) throws(LibraryError) -> [Admitted?] {
        // The lock keeps other processes from removing files in the meantime.
        return try holdingLock(for: .adding) { () throws(LibraryError) in
            let missing = try filesToWrite(incoming)
            var staged = try files.stage(missing)
            return try write { db in
                var admittance = Admittance(db, files, arrival: arrival)
                var admitted: [Admitted?] = []
                for incoming in incoming {
                    let isWanted = try !onlyKnown || visible(incoming.pass.pass.identity, db) != nil
                    admitted.append(
                        isWanted
                            ? try admittance.admit(incoming.pass, from: [incoming.origin]) : nil)
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
    private let files: FileStore
    private let order: VersionOrder
    private let now = Date.now.timeIntervalSince1970
    /// The time that the versions have in common.
    private let arrival: Double
    /// The passes that get their old IDs and settings; others get the next free ID.
    private let oldPasses: [PassIdentity: SalvagedPass]
    /// The passes whose files are to be placed when all are added.
    private var added: [String: VerifiedPass] = [:]

    init(
        _ db: Database, _ files: FileStore, arrival: Date = .now,
        salvaged: [PassIdentity: SalvagedPass] = [:]
    ) {
        self.db = db
        self.files = files
        self.arrival = arrival.timeIntervalSince1970
        order = VersionOrder(files)
        oldPasses = salvaged
    }

    /// - Parameters:
    ///   - origins: If none is known, the origin of a new version is its own file.
    ///   - salvaged: What an old index contains about the same file.
    mutating func admit(
        _ verified: VerifiedPass, from origins: [Origin], like salvaged: SalvagedVersion? = nil
    ) throws -> Admitted {
        if let copy = try StoredCopy.find(verified, among: added, db, files) {
            return try meetAgain(copy, verified, from: origins, like: salvaged)
        }
        keep(verified)
        let existing = try PassRecord.fetch(verified.pass.identity, db)
        var pass =
            existing ?? PassRecord(verified, like: oldPasses[verified.pass.identity], at: now)
        if existing == nil { try pass.insert(db) }
        guard let passID = pass.id else { return Admitted(.unchanged) }
        var version = VersionRecord(verified, pass: passID, at: now, arrival: arrival)
        if let salvaged { version.keepVerdict(of: salvaged, against: verified) }
        try version.insert(db)
        guard let id = version.id else { return Admitted(.unchanged) }
        try SearchTable.keep(verified.pass.searchableText, of: id, db)
        let own = Origin(source: files.path(of: verified.sha256))
        try add(origins.isEmpty ? [own] : origins, to: id)
        let front = try pass.frontRecord(db)
        if let front, try order.sorted([front, version]).first?.id == front.id {
            return Admitted(.older)
        }
        try pass.putInFront(version, change: existing == nil ? .added : .updated, now, db)
        return Admitted(
            existing == nil ? .added : .updated, replaced: front?.sha256,
            showsNotifications: pass.showsNotifications)
    }

    /// Adds origins to a stored version, and updates its verdict; or replaces its file by a better
    /// copy.
    private mutating func meetAgain(
        _ copy: StoredCopy, _ verified: VerifiedPass, from origins: [Origin],
        like salvaged: SalvagedVersion?
    ) throws -> Admitted {
        let known = copy.version
        var version = known
        guard let id = version.id,
            var pass = try PassRecord.first(
                db, "SELECT * FROM passes WHERE id = ?", [known.pass])
        else {
            return Admitted(.unchanged)
        }
        try add(origins, to: id)
        if copy.other == nil {
            version.judge(verified)
            keep(verified)
        } else if copy.isWorse(than: verified, like: salvaged) {
            version.take(verified)
            try replace(known.sha256, of: known.pass)
            keep(verified)
        } else if files.contains(verified.sha256) {
            // An interrupted import left it.
            try replace(verified.sha256, of: known.pass)
        }
        if let salvaged, version.sha256 == verified.sha256 {
            version.keepVerdict(of: salvaged, against: verified)
        }
        let front = try pass.frontRecord(db)
        guard try version.updateChanges(db, from: known), let best = try order.best(pass, db) else {
            return Admitted(.unchanged)
        }
        let isJudgedAnew = best.id == id && version.verdict != known.verdict
        guard best.id != pass.front || isJudgedAnew else {
            return Admitted(.unchanged)
        }
        try pass.putInFront(best, change: .updated, now, db)
        return Admitted(
            .updated, replaced: best.id == id ? front?.sha256 : nil,
            showsNotifications: pass.showsNotifications)
    }

    private func add(_ origins: [Origin], to version: Int64) throws {
        for origin in origins { try OriginRecord(origin, version: version).insert(db) }
    }

    private mutating func keep(_ verified: VerifiedPass) {
        kept.insert(verified.sha256)
        added[verified.sha256] = verified
    }

    private mutating func replace(_ sha256: String, of pass: Int64) throws {
        kept.remove(sha256)
        try ReplacedFile.note(sha256, of: pass, at: now, db)
    }
}
