internal import Foundation
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import PassVerification

/// The signers of a run: one if the options name a certificate, otherwise one for each pass type.
struct Signers {
    private let arguments: IdentityArguments
    private let verifier: PassVerifier
    private let shell: Shell
    private var signers: [String: PassSigner] = [:]

    init(_ arguments: IdentityArguments, _ verifier: PassVerifier, _ shell: Shell) {
        self.arguments = arguments
        self.verifier = verifier
        self.shell = shell
    }

    /// Opens the certificate and key that the options name, if they do. Failures end the run: a
    /// second attempt with a wrong PIN could lock a token.
    mutating func openNamed() throws(Failure) {
        if isNamed { _ = try signer(passType: "") }
    }

    /// The signer for a pass type.
    mutating func signer(for passType: String) throws(Failure) -> PassSigner {
        try signer(passType: isNamed ? "" : passType)
    }

    private var isNamed: Bool { arguments.pkcs12 != nil || arguments.certificate != nil }

    private mutating func signer(passType: String) throws(Failure) -> PassSigner {
        if let signer = signers[passType] { return signer }
        let identity = try arguments.identity(
            for: passType, trusting: verifier.anchors, in: shell)
        let signer = PassSigner(identity, verifiedBy: verifier)
        signers[passType] = signer
        return signer
    }
}
