internal import Foundation
internal import PassModel
internal import PassSigning
internal import PassVerification

/// A pass that was signed, as `sign --json` prints it.
struct SignedPassRecord: Encodable {
    let version = 1
    let record = "signedPass"
    let file: String
    /// The line of the row of data; absent without data.
    let line: Int?
    let passTypeIdentifier: String?
    let serialNumber: String?
    /// SHA-256 of the pass.
    let sha256: String
    let signedAt: String?

    init(_ verification: Verification, file: String, line: Int? = nil) {
        self.file = file
        self.line = line
        passTypeIdentifier = verification.pass?.passTypeIdentifier
        serialNumber = verification.pass?.serialNumber
        sha256 = verification.sha256
        signedAt = verification.signedAt.map(timestamp)
    }
}

/// The last record of `sign --data`: totals.
struct SigningSummaryRecord: Encodable {
    let version = 1
    let record = "signingSummary"
    let signed: Int
    let failed: Int
}

/// A certificate for signing, as `certificate list --json` prints it.
struct CertificateRecord: Encodable {
    let version = 1
    let record = "certificate"
    let passTypeIdentifier: String?
    let teamIdentifier: String?
    let name: String
    let notBefore: String
    let notAfter: String
    /// SHA-256 of the certificate.
    let fingerprint: String
    let hasKey: Bool

    init(_ entry: SigningFolder.Entry) {
        passTypeIdentifier = entry.passTypeIdentifier
        teamIdentifier = entry.teamIdentifier
        name = entry.name
        notBefore = timestamp(entry.notBefore)
        notAfter = timestamp(entry.notAfter)
        fingerprint = entry.fingerprint
        hasKey = entry.hasKey
    }
}

/// A key that waits for its certificate, as `certificate list --json` prints it.
struct PendingKeyRecord: Encodable {
    let version = 1
    let record = "pendingKey"
    let file: String

    init(_ key: SigningFolder.PendingKey) {
        file = key.file
    }
}
