internal import ArgumentParser
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassSigning

/// `passconduit-serve void`: declares a published pass void.
struct VoidPass: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Declare a published pass void.",
        discussion: """
            Sets `voided` in the published version of the pass, signs it again and publishes it as a \
            new version. Wallet shows it as no longer valid.

            A pass of a row of data is signed when a device asks for it.

            `update --set voided=false` makes a pass valid again.

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
        let reissue = try await Reissue(type: type, serial: serial, store, trust, in: shell)
        return try await reissue.run(
            row: { store, pass throws(ServiceError) in try await store.void(pass) },
            files: { try $0.voided() })
    }
}
