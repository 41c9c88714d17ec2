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
    private static let apple = PassVerifier()

    init(_ files: FileStore) {
        self.files = files
    }

    /// Best first.
    func sorted(_ versions: [VersionRecord]) -> [VersionRecord] {
        let isAnchorDecisive = Dictionary(
            versions.filter { $0.verdict == .trusted }.map { ($0.pass, 1) }, uniquingKeysWith: +
        ).mapValues { $0 > 1 }
        return versions.map { version in
            (version, rank(version, looksUp: isAnchorDecisive[version.pass] ?? false))
        }
        .sorted { $0.1 > $1.1 }.map(\.0)
    }

    /// The version that should be current.
    func best(_ pass: PassRecord, _ db: Database) throws -> VersionRecord? {
        let versions = try VersionRecord.fetchAll(
            db, sql: "SELECT * FROM versions WHERE pass = ?", arguments: [pass.id])
        return sorted(versions).first
    }

    private func rank(_ version: VersionRecord, looksUp: Bool) -> VersionRank {
        VersionRank(
            verdict: version.verdict,
            anchorOrigin: looksUp && version.isOfUnknownAnchor
                ? origin(version) : version.anchorOrigin,
            signedAt: version.signedAt.map(Date.init(timeIntervalSince1970:)),
            firstSeen: version.firstSeen.map(Date.init(timeIntervalSince1970:)),
            sha256: version.sha256)
    }

    /// A missing or changed file is not Apple's.
    private func origin(_ version: VersionRecord) -> TrustAnchor.Origin? {
        guard let octets = try? files.read(files.path(of: version.sha256)) else { return .own }
        let verification = VersionOrder.apple.verify(octets)
        let isApples = verification.sha256 == version.sha256 && verification.verdict == .trusted
        return isApples ? .apple : .own
    }
}
