internal import Foundation
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// The certificates and keys of `passconduit certificate`, by pass type.
struct SigningKeys: Sendable {
    private let folder: String
    private let verifier: PassVerifier

    init(_ session: Session, verifier: PassVerifier) {
        folder = session.environment.signingFolder
        self.verifier = verifier
    }

    /// A signer for a pass type, with the certificate that is valid at present.
    func signer(for passType: String) throws(Failure) -> PassSigner {
        // Memory holds a key: neither a core dump nor another process may see it.
        CurrentProcess.forbidDumps()
        // The issuer of a test certificate may be among the trusted ones.
        let issuers = verifier.anchors.all.compactMap(\.pem).map { Array($0.utf8) }
        do throws(SigningFolderError) {
            let keys = SigningFolder(URL(fileURLWithPath: folder, isDirectory: true))
            return PassSigner(
                try keys.identity(for: passType, issuers: issuers), verifiedBy: verifier)
        } catch {
            throw .unreadable(folder, reason: error.servicePhrase)
        }
    }
}
