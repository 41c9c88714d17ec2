internal import Foundation
internal import GRDB
internal import PassVerification
internal import Platform

/// Orders the versions of a pass.
///
/// Versions that were stored before the library recorded anchors count as Apple's if Apple's anchors
/// vouch for their files. Only files whose rank is compared are read: verifying a whole library
/// takes too long while mail waits.
struct VersionOrder {
    private let files: FileStore

    init(_ files: FileStore) {
        self.files = files
    }

    /// Best first.
    func sorted(_ versions: [VersionRecord]) throws(LibraryError) -> [VersionRecord] {
        let isAnchorDecisive = Dictionary(
            versions.filter { $0.verdict == .trusted }.map { ($0.pass, 1) }, uniquingKeysWith: +
        ).mapValues { $0 > 1 }
        var ranked: [(version: VersionRecord, rank: VersionRank)] = []
        for version in versions {
            let looksUp = version.isOfUnknownAnchor && isAnchorDecisive[version.pass] ?? false
            ranked.append((version, try rank(version, looksUp: looksUp)))
        }
        return ranked.sorted { $0.rank > $1.rank }.map(\.version)
    }

    /// The version that should be current.
    func best(_ pass: PassRecord, _ db: Database) throws -> VersionRecord? {
        let versions = try VersionRecord.fetchAll(
            db, sql: "SELECT * FROM versions WHERE pass = ?", arguments: [pass.id])
        return try sorted(versions).first
    }

    private func rank(
        _ version: VersionRecord, looksUp: Bool
    ) throws(LibraryError) -> VersionRank {
        // A missing or changed file is not Apple's.
        let verdict = looksUp ? try files.verification(of: version.sha256)?.verdict : nil
        return VersionRank(
            standing: version.standing(byApple: verdict),
            signedAt: version.signedAt.map(Date.init(timeIntervalSince1970:)),
            arrival: version.id ?? .max)
    }
}

extension FileStore {
    private static let apple = PassVerifier()

    /// Verifies a pass file with Apple's anchors; nil if it is missing or was changed.
    ///
    /// - Throws: If it cannot be read, which may be temporary.
    func verification(of sha256: String) throws(LibraryError) -> Verification? {
        let path = path(of: sha256)
        do throws(FileError) {
            let verification = FileStore.apple.verify(try read(path))
            return verification.sha256 == sha256 ? verification : nil
        } catch {
            if error.isAbsence { return nil }
            throw .cannotRead(path: path, reason: .system(error.code))
        }
    }
}
