import Archives

/// What judging one pass may cost. Sizes are in bytes and counted while inflating.
public struct VerificationLimits: Sendable, Hashable {
    /// Of the pass file.
    public var archive = 64 << 20
    /// How many entries the archive may have.
    public var entries = 1_000
    /// How many paths the manifest may list.
    public var manifestPaths = 10_000
    /// Of one file in the pass.
    public var entry = 64 << 20
    /// Of all files in the pass.
    public var total = 256 << 20
    /// Of each file that is held in memory: pass.json, manifest.json.
    public var held = 8 << 20
    /// Of the signature, which takes OpenSSL fifty times its size. Real ones have four kilobytes; one
    /// that carries the manifest of a thousand files has a hundred.
    public var signature = 128 << 10
    /// How many certificates a signature may bring.
    public var certificates = 32
    /// How many signers and how many digests a signature may have; more than one signer is never
    /// trusted.
    public var signers = 8
    /// How many findings of one kind are told one by one; the rest are counted.
    public var findings = 20

    /// Limits that no pass of an honest issuer comes near.
    public init() {}

    var zip: ZipLimits {
        var limits = ZipLimits()
        limits.archive = archive
        limits.entries = entries
        limits.entry = entry
        limits.total = total
        return limits
    }
}
