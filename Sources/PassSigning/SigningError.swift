public import PassVerification

/// Why a pass was not signed.
///
/// ```swift
/// do {
///     _ = try signer.sign(folder)
/// } catch SigningError.notTrusted(let findings) { print(findings.map(\.code)) }
/// ```
public enum SigningError: Error, Sendable, Hashable {
    /// The folder has no pass.json.
    case noPass
    /// The key did not sign: it is locked, or its agent or token went away.
    case keyRefused
    /// There is not enough memory.
    case outOfMemory
    /// The signed pass would not be trusted, or not be an archive, for these reasons.
    case notTrusted([Finding])
    /// Wallet would refuse the signed pass, for these reasons.
    case refusedByWallet([Finding])
}
