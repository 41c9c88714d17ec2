internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// The stored version that equals a pass.
///
/// The same file, or another copy of it: anybody can pack the files of a pass in another way, and
/// encode its signature in another way, without the key of the signer. Of such copies, the library
/// stores the best one, in one version.
struct StoredCopy {
    let version: VersionRecord
    /// The stored file, as verified now; nil if it is the file of the pass.
    let other: VerifiedPass?

    /// Finds the version of the same pass with the same file, or with a file in which the same key
    /// signed the same manifest and the same attributes.
    ///
    /// A stranger can sign the contents of a pass again, and issuers do: those are other versions.
    /// So are files of which none is trusted: anybody can put another certificate with the same key
    /// into a signature, and only a chain to an anchor tells which is the signer's. A file that
    /// cannot be read, or is not a pass by the present rules, is no copy of anything.
    ///
    /// - Parameter added: Passes of the same transaction by digest, whose files are not placed yet.
    static func find(
        _ verified: VerifiedPass, among added: [String: VerifiedPass] = [:], _ db: Database,
        _ files: FileStore
    ) throws -> StoredCopy? {
        if let same = try VersionRecord.first(
            db, "SELECT * FROM versions WHERE sha256 = ?", [verified.sha256])
        {
            return StoredCopy(version: same, other: nil)
        }
        guard let statement = verified.statement else { return nil }
        // Few versions were signed in the same second, so few files are read.
        let versions = try VersionRecord.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT versions.* FROM versions JOIN passes ON passes.id = versions.pass
                    WHERE passTypeIdentifier = ? AND serialNumber = ? AND manifestSHA256 = ?
                        AND signedAt IS ?
                    ORDER BY versions.id
                    """),
            arguments: [
                verified.pass.passTypeIdentifier, verified.pass.serialNumber,
                verified.manifestSHA256, verified.signedAt?.timeIntervalSince1970,
            ])
        for version in versions {
            let other =
                added[version.sha256] ?? (try? files.verification(of: version.sha256))?.verified
            if let other, other.statement == statement,
                [version.verdict, other.verdict, verified.verdict].contains(.trusted)
            {
                return StoredCopy(version: version, other: other)
            }
        }
        return nil
    }

    /// Whether a pass is a better copy than the stored file: with a better standing, or with the
    /// same one, but for fewer of its findings Wallet refuses it, or it has fewer findings.
    ///
    /// - Parameter salvaged: What an old index contains about the file of the pass.
    func isWorse(than verified: VerifiedPass, like salvaged: SalvagedVersion? = nil) -> Bool {
        guard let other else { return false }
        var known = version.standing(byApple: other.verdict)
        // Apple's anchors were asked just now.
        if known.anchorOrigin == .apple, other.verdict != .trusted { known = Standing(other) }
        let standing = salvaged?.standing(outlasting: verified) ?? Standing(verified)
        guard standing == known else { return known < standing }
        let (old, new) = (other.notes.ofPackaging, verified.notes.ofPackaging)
        let (oldRefusals, newRefusals) = (
            old.count(where: \.isRefusedByWallet), new.count(where: \.isRefusedByWallet)
        )
        return (newRefusals, new.count) < (oldRefusals, old.count)
    }
}

extension Standing {
    init(_ verified: VerifiedPass) {
        self.init(verdict: verified.verdict, anchorOrigin: verified.anchor?.origin)
    }
}

extension [Finding] {
    /// Without those about bytes that are not stored: those before and after the archive.
    var ofStoredFile: [Finding] {
        filter { note in
            switch note {
            case .leadingBytes, .trailingBytes: false
            default: true
            }
        }
    }

    /// Without those that depend on the time of the verification.
    fileprivate var ofPackaging: [Finding] {
        ofStoredFile.filter { note in
            switch note {
            case .judgedAt, .certificateExpiredSince: false
            default: true
            }
        }
    }
}
