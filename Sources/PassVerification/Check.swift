public import Foundation

/// A check of a pass and its result.
///
/// ```swift
/// for check in verification.checks where check.outcome == .failed { print(check.name.rawValue) }
/// ```
public struct Check: Sendable, Hashable {
    /// The checks of a pass, in order.
    public enum Name: String, Sendable, CaseIterable {
        /// Whether the file is a sound ZIP archive.
        case archive
        /// Whether pass.json can be read as a pass.
        case pass = "pass-json"
        /// Whether manifest.json can be read.
        case manifest
        /// Whether every file matches the manifest.
        case files
        /// Whether the signature verifies over the manifest.
        case signature
        /// Whether the signature says when it was made.
        case signingTime = "signing-time"
        /// Whether the certificate of the signer leads to a trust anchor.
        case chain = "certificate-chain"
        /// Whether the certificate is one for passes.
        case purpose = "certificate-purpose"
        /// Whether the certificate is for the type of this pass.
        case passType = "pass-type-identifier"
        /// Whether the certificate is that of the team of this pass.
        case team = "team-identifier"
        /// Whether pass.json has all keys that Wallet requires.
        case keys = "required-keys"
        /// Whether there is an icon.
        case icon
    }

    /// The outcome of a check.
    public enum Outcome: String, Sendable {
        /// Nothing was found against the pass.
        case passed
        /// Something was found against the pass.
        case failed
        /// The check was not performed.
        case skipped
    }

    /// The result of a check.
    public enum Answer: Sendable, Hashable {
        /// Nothing was found against the pass, but this fact.
        case passed(Fact)
        /// These findings speak against the pass.
        case failed([Finding])
        /// The check was not performed, for this reason.
        case skipped(Obstacle)
    }

    /// What a check that passed has established.
    public enum Fact: Sendable, Hashable {
        /// The archive has so many files.
        case archive(files: Int)
        /// The pass has this serial number and this type.
        case pass(serialNumber: String, passType: String)
        /// The manifest lists so many files.
        case manifest(files: Int)
        /// Every file matches the manifest.
        case filesMatch
        /// The signature verifies over the manifest.
        case signatureVerifies
        /// The pass was signed at this time.
        case signed(at: Date)
        /// The certificate leads to the trust anchor of this name.
        case anchored(to: String)
        /// The certificate is one for passes.
        case certificateForPasses
        /// The certificate is for this pass type.
        case certificateFor(passType: String)
        /// The certificate is that of this team.
        case certificateOf(team: String)
        /// All required keys are there.
        case keysPresent
        /// There is an icon.
        case iconPresent
    }

    /// Why a check was not performed.
    public enum Obstacle: Sendable, Hashable, CaseIterable {
        /// An earlier check failed.
        case earlierFailure
        /// There is no manifest.json.
        case noManifest
        /// There is no manifest that the files could be compared with.
        case noManifestToCompare
        /// There is no time of signing to validate certificates at.
        case noSigningTime
    }

    /// The name of the check.
    public let name: Name
    /// Its result.
    public let answer: Answer

    /// Passed, failed, or skipped.
    public var outcome: Outcome {
        switch answer {
        case .passed: .passed
        case .failed: .failed
        case .skipped: .skipped
        }
    }

    package init(_ name: Name, _ answer: Answer) {
        self.name = name
        self.answer = answer
    }
}
