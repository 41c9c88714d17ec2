public import Foundation
public import PassVerification

/// Signs passes with one identity, and verifies each before it is handed out.
///
/// ```swift
/// let signer = PassSigner(identity)
/// let pass = try signer.sign(PassFolder(contentsOf: url))
/// try Data(pass.bytes).write(to: URL(fileURLWithPath: "Event.pkpass"))
/// ```
public struct PassSigner: Sendable {
    /// The certificate and its key.
    public let identity: SigningIdentity
    /// Verifies what was signed.
    public let verifier: PassVerifier

    /// Creates a signer.
    ///
    /// ```swift
    /// let testRoot = try TrustAnchors(certificates: [[UInt8](Data(contentsOf: url))])
    /// let signer = PassSigner(identity, verifiedBy: PassVerifier(anchors: testRoot))
    /// ```
    ///
    /// - Parameters:
    ///   - identity: The certificate and its key.
    ///   - verifier: With the authorities that must vouch for the passes; Apple's by default.
    public init(_ identity: SigningIdentity, verifiedBy verifier: PassVerifier = PassVerifier()) {
        self.identity = identity
        self.verifier = verifier
    }

    /// Signs the files of a folder.
    ///
    /// For example: `let size = try signer.sign(folder).bytes.count`
    ///
    /// - Parameters:
    ///   - folder: The files, with pass.json.
    ///   - time: The signing time, in whole seconds.
    /// - Throws: ``SigningError`` if the pass cannot be signed, or would not be trusted, or would be
    ///   refused by Wallet.
    public func sign(_ folder: PassFolder, at time: Date = .now) throws(SigningError) -> SignedPass
    {
        guard folder.pass != nil else { throw .noPass }
        let packer = try PassPacker(sharing: [:])
        return try verified(unverified(folder.files, packedBy: packer, at: time))
    }

    /// A pass that was signed and not yet verified.
    func unverified(
        _ files: [String: [UInt8]], packedBy packer: PassPacker, at time: Date
    ) throws(SigningError) -> [UInt8] {
        try packer.pack(files) { manifest throws(SigningError) in
            try identity.signature(over: manifest, at: time)
        }
    }

    /// Verifies a pass that was just signed.
    func verified(_ bytes: [UInt8]) throws(SigningError) -> SignedPass {
        let verification = verifier.verify(bytes)
        guard verification.verdict == .trusted else { throw .notTrusted(verification.reasons) }
        let refusals = verification.walletRefusals
        guard refusals.isEmpty else { throw .refusedByWallet(refusals) }
        return SignedPass(bytes: bytes, verification: verification)
    }
}

/// A signed pass, as it is written to a `.pkpass` file. Only a signer creates one.
///
/// ```swift
/// let signed = try signer.sign(folder)
/// print(signed.verification.sha256, signed.verification.size)
/// ```
public struct SignedPass: Sendable {
    /// The ZIP archive.
    public let bytes: [UInt8]
    /// The result of verifying it.
    public let verification: Verification
}
