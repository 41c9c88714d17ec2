internal import Foundation
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// The certificates and keys that `passconduit certificate` stores, by pass type.
struct SigningKeys: Sendable {
    private let folder: String
    private let verifier: PassVerifier

    init(_ session: Session, verifier: PassVerifier) {
        folder = session.environment.signingFolder
        self.verifier = verifier
    }

    /// Returns a signer with the currently valid certificate for a pass type.
    func signer(for passType: String) throws(Failure) -> PassSigner {
        // Keep the key in memory out of core dumps, and away from other processes.
        CurrentProcess.forbidDumps()
        // The issuer of a test certificate may be one of the trusted authorities.
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
