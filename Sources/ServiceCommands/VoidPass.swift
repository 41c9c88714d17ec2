internal import ArgumentParser
internal import Foundation
internal import PassModel
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassSigning
internal import PassVerification

/// `passconduit-serve void`: declares a published pass void.
struct VoidPass: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Declare a published pass void.",
        discussion: """
            Sets `voided` in the published version of the pass, signs it again and publishes it as a \
            new version. Wallet shows it as no longer valid.

            The certificate and key are those of `passconduit certificate` for the pass type.
            """)

    @Argument(help: ArgumentHelp("The pass type identifier.", valueName: "type"))
    var type: String

    @Argument(help: ArgumentHelp("The serial number.", valueName: "serial"))
    var serial: String

    @OptionGroup var store: StoreArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var language: LanguageArguments

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let verifier = try trust.verifier(in: shell.session)
        let store = try await self.store.open(creating: false)
        let identity = PassIdentity(passTypeIdentifier: type, serialNumber: serial)
        guard let (current, bytes) = try await store.file(of: identity) else {
            throw Failure.notFound(
                Phrase(
                    "there is no pass {name} in the store", ["name": .text(identity.description)])
            )
        }
        let packed = PackedPass(bytes, verifier: verifier)
        if let pass = packed.verification.pass, pass.isVoided {
            try shell.print(
                .unchanged, of: pass, sha256: current.sha256, from: nil, asJSON: self.store.json)
            return .done
        }
        let keys = SigningFolder(
            URL(fileURLWithPath: shell.session.environment.signingFolder, isDirectory: true))
        // The issuer of a test certificate may be among the trusted ones.
        let issuers = verifier.anchors.all.compactMap(\.pem).map { Array($0.utf8) }
        let signer = PassSigner(
            try keys.identity(for: type, issuers: issuers), verifiedBy: verifier)
        let signed = try signer.sign(packed.folder.voided())
        // A signer hands out trusted passes only.
        guard let pass = signed.verification.verified else { return .notTrusted }
        try shell.print(
            try await store.publish(pass), of: pass.pass, sha256: pass.sha256, from: nil,
            asJSON: self.store.json)
        return .done
    }
}
