public import Foundation

/// A check of a pass and its result.
///
/// ```swift
/// for check in verification.checks where check.outcome == .failed { print(check.name.rawValue) }
/// ```
public struct Check: Sendable, Hashable {
    /// The checks of a pass, in the order in which they are performed.
    ///
    /// For example: `let signature = verification.checks.first { $0.name == .signature }`
    public enum Name: String, Sendable, CaseIterable {
        /// Whether the file is a valid ZIP archive.
        case archive
        /// Whether pass.json can be read as a pass.
        case pass = "pass-json"
        /// Whether manifest.json can be read.
        case manifest
        /// Whether every file matches the manifest.
        case files
        /// Whether the signature verifies over the manifest.
        case signature
        /// Whether the signature contains one valid signing time.
        case signingTime = "signing-time"
        /// Whether the signer's certificate chains to a trust anchor.
        case chain = "certificate-chain"
        /// Whether it is a pass certificate.
        case purpose = "certificate-purpose"
        /// Whether the certificate is for the pass type of this pass.
        case passType = "pass-type-identifier"
        /// Whether the certificate is for the team of this pass.
        case team = "team-identifier"
        /// Whether pass.json has all keys required by Wallet.
        case keys = "required-keys"
        /// Whether the pass has an icon.
        case icon
    }

    /// The outcome of a check.
    ///
    /// For example: `let isComplete = verification.checks.allSatisfy { $0.outcome != .skipped }`
    public enum Outcome: String, Sendable {
        /// No findings against the pass.
        case passed
        /// Findings against the pass.
        case failed
        /// The check was not performed.
        case skipped
    }

    /// The result of a check.
    ///
    /// ```swift
    /// for check in verification.checks {
    ///     if case .skipped(let obstacle) = check.answer { print(check.name, obstacle) }
    /// }
    /// ```
    public enum Answer: Sendable, Hashable {
        /// No findings against the pass; the fact that was established.
        case passed(Fact)
        /// The findings against the pass.
        case failed([Finding])
        /// The check was not performed, for this reason.
        case skipped(Obstacle)
    }

    /// The fact that a passed check established. The payload of ``Answer/passed(_:)``.
    public enum Fact: Sendable, Hashable {
        /// The archive contains this number of files.
        case archive(files: Int)
        /// The pass has this serial number and pass type.
        case pass(serialNumber: String, passType: String)
        /// The manifest lists this number of files.
        case manifest(files: Int)
        /// Every file matches the manifest.
        case filesMatch
        /// The signature verifies over the manifest.
        case signatureVerifies
        /// The pass was signed at this time.
        case signed(at: Date)
        /// The certificate chains to the trust anchor with this name.
        case anchored(to: String)
        /// The certificate is a pass certificate.
        case certificateForPasses
        /// The certificate is for this pass type.
        case certificateFor(passType: String)
        /// The certificate is for this team.
        case certificateOf(team: String)
        /// All required keys are present.
        case keysPresent
        /// The pass has an icon.
        case iconPresent
    }

    /// Why a check was not performed. The payload of ``Answer/skipped(_:)``.
    public enum Obstacle: Sendable, Hashable, CaseIterable {
        /// An earlier check failed.
        case earlierFailure
        /// There is no manifest.json.
        case noManifest
        /// There is no manifest to compare the files with.
        case noManifestToCompare
        /// There is no signing time at which to validate certificates.
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
