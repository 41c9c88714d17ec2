internal import ArgumentParser
internal import Localization
internal import PassPresentation
internal import PassService
internal import PassSession

/// `passconduit-serve list`: the published passes.
struct List: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List published passes, the newest first.",
        discussion: """
            Prints the time of publication of each pass, its pass type and serial number, the number \
            of devices that are registered for it, and whether it is void, or made of a row of data \
            and not signed yet.

            With a text, only passes are printed that have it in TYPE/SERIAL. Upper and lower case \
            differ.

            EXAMPLES
              passconduit-serve list --store /srv/passes
              passconduit-serve list --store /srv/passes --limit 10 guest-
              passconduit-serve list --store /srv/passes pass.com.example.ticket/E4
            """)

    @Argument(help: ArgumentHelp("Text in the type or serial number.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("Print at most this number.", valueName: "number"))
    var limit = 100

    @OptionGroup var store: StoreArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is at least 1") }
    }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let entries = try await store.open(creating: false)
            .passes(matching: text, limit: limit)
        for entry in entries {
            let record = PublishedPassRecord(entry)
            var facts = [counted("{count} device", "{count} devices", entry.devices)]
            if entry.pass.isVoided { facts.append(localized("void")) }
            if entry.pass.sha256 == nil { facts.append(localized("not signed yet")) }
            try shell.print(
                record, asJSON: store.json,
                "\(record.published) \(entry.pass.identity): \(facts.joined(separator: ", "))"
                    .escaped)
        }
        return entries.isEmpty ? .nothingFound : .done
    }
}
