package import Archives

/// Limits for verifying one pass. Sizes are in bytes, counted while inflating.
public struct VerificationLimits: Sendable, Hashable {
    /// The pass file.
    public var archive = 64 << 20
    /// Entries in the archive.
    public var entries = 1_000
    /// Paths in the manifest.
    public var manifestPaths = 10_000
    /// One file in the pass.
    public var entry = 64 << 20
    /// All files in the pass.
    public var total = 256 << 20
    /// A file held in memory: pass.json, manifest.json.
    public var held = 8 << 20
    /// The signature; OpenSSL needs fifty times its size. Real signatures have 4 KB; one that
    /// contains a manifest of a thousand files has 100 KB.
    public var signature = 128 << 10
    /// Certificates in a signature.
    public var certificates = 32
    /// Signers and digests in a signature; more than one signer is never trusted.
    public var signers = 8
    /// Findings of one kind that are listed; further ones are counted.
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
