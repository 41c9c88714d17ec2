package import Archives

/// Limits for verifying one pass. Sizes are in bytes, counted while inflating.
///
/// ```swift
/// var limits = VerificationLimits()
/// limits.archive = 5 << 20
/// let verifier = PassVerifier(limits: limits)
/// ```
public struct VerificationLimits: Sendable, Hashable {
    /// The size of the pass file.
    public var archive = 64 << 20
    /// The number of entries in the archive.
    public var entries = 1_000
    /// The number of paths in the manifest.
    public var manifestPaths = 10_000
    /// The size of one file in the pass.
    public var entry = 64 << 20
    /// The size of all files in the pass.
    public var total = 256 << 20
    /// The size of a file held in memory: pass.json, manifest.json.
    public var held = 8 << 20
    /// The size of the signature; OpenSSL needs fifty times as much memory. Real signatures have 4
    /// KB; one that contains a manifest of a thousand files has 100 KB.
    public var signature = 128 << 10
    /// The number of certificates in a signature.
    public var certificates = 32
    /// The number of signers, and of digests, in a signature; more than one signer is never
    /// trusted.
    public var signers = 8
    /// The number of findings of one kind that are listed; further ones are counted.
    public var findings = 20

    /// Creates limits far above any real pass.
    public init() {}

    package var zip: ZipLimits {
        var limits = ZipLimits()
        limits.archive = archive
        limits.entries = entries
        limits.entry = entry
        limits.total = total
        return limits
    }
}
