internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// The current version of a pass.
extension PassRecord {
    static func fetch(_ identity: PassIdentity, _ db: Database) throws -> PassRecord? {
        try first(
            db, "SELECT * FROM passes WHERE passTypeIdentifier = ? AND serialNumber = ?",
            [identity.passTypeIdentifier, identity.serialNumber])
    }

    /// A new pass with the ID and settings of a salvaged one, or the next free ID.
    init(_ verified: VerifiedPass, like salvaged: SalvagedPass?, at now: Double) {
        self.init(
            id: salvaged?.id, passTypeIdentifier: verified.pass.identity.passTypeIdentifier,
            serialNumber: verified.pass.identity.serialNumber, front: nil, organizationName: "",
            description: "", relevantDate: nil, updatedAt: now,
            updatesAutomatically: salvaged?.updatesAutomatically ?? true,
            showsNotifications: salvaged?.showsNotifications ?? true)
    }

    func frontRecord(_ db: Database) throws -> VersionRecord? {
        guard let front else { return nil }
        return try VersionRecord.first(db, "SELECT * FROM versions WHERE id = ?", [front])
    }
}

extension VersionRecord {
    init(_ verified: VerifiedPass, pass: Int64, at now: Double, arrival: Double) {
        self.init(
            id: nil, pass: pass, sha256: verified.sha256, size: verified.size,
            manifestSHA256: verified.manifestSHA256, verdict: verified.verdict,
            reasons: verified.reasons.map(StoredFinding.init),
            notes: verified.notes.ofStoredFile.map(StoredFinding.init),
            signedAt: verified.signedAt?.timeIntervalSince1970, importedAt: now,
            arrival: arrival, teamIdentifier: verified.pass.teamIdentifier,
            organizationName: verified.pass.organizationName,
            description: verified.pass.description, names: PassNames(verified.pass).text,
            style: verified.pass.style,
            relevantDate: verified.pass.relevantDate?.timeIntervalSince1970,
            expirationDate: verified.pass.expirationDate?.timeIntervalSince1970,
            isVoided: verified.pass.isVoided,
            relevantDates: RelevantDateRecord.records(
                of: verified.pass, now: Date(timeIntervalSince1970: now)),
            anchor: verified.anchor?.fingerprint, anchorOrigin: verified.anchor?.origin)
    }
}
