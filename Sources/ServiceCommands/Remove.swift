internal import ArgumentParser
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassService
internal import PassSession

/// `passconduit-serve remove`: removes a published pass.
struct Remove: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a published pass.",
        discussion: """
            Removes the pass with its file or row, its registrations, and pushes that are only about \
            it. Devices that ask for it then get 401, and its download page is gone.

            Devices keep the version that they have: void the pass first if it should be valid no \
            longer, and remove it when its devices have fetched that version.

            EXAMPLES
              passconduit-serve remove pass.com.example.ticket E4 --store /srv/passes
            """)

    @Argument(help: ArgumentHelp("The pass type identifier.", valueName: "type"))
    var type: String

    @Argument(help: ArgumentHelp("The serial number.", valueName: "serial"))
    var serial: String

    @OptionGroup var store: StoreArguments
    @OptionGroup var language: LanguageArguments

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let identity = PassIdentity(passTypeIdentifier: type, serialNumber: serial)
        guard let pass = try await store.open(creating: false).remove(identity) else {
            throw Failure.noPass(identity)
        }
        try shell.print(
            PublicationRecord(removed: pass), asJSON: store.json,
            "\(localized("removed")) \(identity)".escaped)
        return .done
    }
}

extension Failure {
    /// The failure if the pass is not in the store.
    static func noPass(_ identity: PassIdentity) -> Failure {
        .notFound(
            Phrase("there is no pass {name} in the store", ["name": .text(identity.description)]))
    }
}
