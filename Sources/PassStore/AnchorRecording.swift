internal import GRDB
internal import PassModel
public import PassVerification

extension PassLibrary {
    /// Verifies trusted versions again whose recorded anchor is not among those of the verifier,
    /// was given on one occasion only, or is unknown, and records the anchors that vouch for them
    /// now. Verdicts stay as they are.
    ///
    /// ```swift
    /// let lost = try library.recordAnchors(by: verifier)
    /// print("\(lost) passes are no longer vouched for")
    /// ```
    ///
    /// - Returns: The number of passes with a trusted current version for which no anchor vouches
    ///   any more.
    /// - Throws: As ``add(_:)``.
    @discardableResult
    public func recordAnchors(by verifier: PassVerifier) throws(LibraryError) -> Int {
        let versions = try read { db in
            try TrustedVersion.fetchAll(
                db,
                sql: """
                    SELECT versions.id, sha256, anchor, anchorOrigin, passTypeIdentifier, front
                    FROM versions
                    JOIN passes ON passes.id = versions.pass WHERE verdict = 'trusted'
                    """)
        }
        var found: [(version: TrustedVersion, anchor: TrustAnchor)] = []
        var left = 0
        for version in versions
        where version.isOfGivenAnchor || !version.isVouchedFor(by: verifier.anchors) {
            if let anchor = anchor(of: version.sha256, by: verifier) {
                found.append((version, anchor))
            } else if version.isCurrent, !version.isOfGivenAnchor {
                left += 1
            }
        }
        try record(found)
        return left
    }

    /// Nil if none vouches for the file, or if it is missing or was changed.
    private func anchor(of sha256: String, by verifier: PassVerifier) -> TrustAnchor? {
        guard let octets = try? files.read(files.path(of: sha256)) else { return nil }
        let verification = verifier.verify(octets)
        guard verification.sha256 == sha256, verification.verdict == .trusted else { return nil }
        return verification.verified?.anchor
    }

    private func record(
        _ found: [(version: TrustedVersion, anchor: TrustAnchor)]
    ) throws(LibraryError) {
        guard !found.isEmpty else { return }
        try write { db in
            for (version, anchor) in found {
                // Another process may have removed the version, or added it with a new verdict.
                try db.run(
                    """
                    UPDATE versions SET anchor = ?, anchorOrigin = ?
                    WHERE id = ? AND sha256 = ? AND verdict = 'trusted'
                    """,
                    [anchor.fingerprint, anchor.origin.rawValue, version.id, version.sha256])
            }
        }
    }
}

/// A row of `versions` with the verdict trusted.
private struct TrustedVersion: FetchableRecord {
    let id: Int64
    let sha256: String
    private let anchor: String?
    private let passTypeIdentifier: String
    let isCurrent: Bool
    /// Whether its anchor was given on one occasion only.
    let isOfGivenAnchor: Bool

    init(row: Row) throws {
        id = try row.value("id")
        sha256 = try row.value("sha256")
        anchor = try row.optional("anchor")
        passTypeIdentifier = try row.value("passTypeIdentifier")
        isCurrent = try row.optional("front") == id
        isOfGivenAnchor =
            try row.optional("anchorOrigin") == TrustAnchor.Origin.given.rawValue
    }

    func isVouchedFor(by anchors: TrustAnchors) -> Bool {
        anchor.map { anchors.vouch(for: passTypeIdentifier, by: $0) } ?? false
    }
}
