internal import ArgumentParser
internal import PassPresentation
internal import PassSession

/// `passconduit-serve publish`: verifies or signs passes, and publishes them.
struct Publish: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish passes, or new versions of them.",
        discussion: """
            Verifies each pass as `passconduit verify` does, and publishes it if it is trusted and \
            has an authenticationToken. A pass with the same type and serial number is replaced, with \
            all that `update` changed in it; devices that ask for changes then learn of it.

            Of a bundle (.pkpasses) and of a folder, all passes are published, but none in folders \
            within it, which are reported. A folder with pass.json \
            is itself a pass: it is checked and signed as `passconduit sign` does, with the \
            certificate of `passconduit certificate` for the pass type, unless the published version \
            has the same files.

            With --data, the folder is a template, and each row of the file is a pass, as for \
            `passconduit sign --data`. The passes are not signed now but by `passconduit-serve run`, \
            when a device first asks for one. Each row is checked now; rows that cannot become a \
            pass are reported. A pass that was declared void stays void. Warns if there is no valid \
            certificate for the passes here, since another server may have one.

            Warns if devices would not learn of changes: without a webServiceURL, with one that is \
            not https, or if the authenticationToken changes; and if a pass that is not void replaces \
            one that is. The run continues past passes that \
            cannot be published, and reports them.

            EXAMPLES
              passconduit-serve publish --store /srv/passes *.pkpass
              passconduit-serve publish --store /srv/passes outbox/ trip.pkpasses Ticket.pass
              passconduit-serve publish --store /srv/passes Ticket.pass --data guests.csv
              passconduit-serve publish --store /srv/passes --trust-root my-ca.pem ticket.pkpass
            """)

    @Argument(
        help: ArgumentHelp("Passes, bundles, and folders of them.", valueName: "path"),
        completion: .file(extensions: ["pkpass", "pkpasses"]))
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "Publish a pass for each row of this file (.csv, .jsonl; - is standard input).",
            valueName: "file"),
        completion: .file(extensions: ["csv", "jsonl", "ndjson"]))
    var data: String?

    @OptionGroup var store: StoreArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        if paths.contains("") || data == "" { throw ValidationError("the path is empty") }
        guard data == nil || paths.count == 1 else {
            throw ValidationError("--data needs one folder, the template")
        }
    }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let verifier = try trust.verifier(in: shell.session)
        let store = try await self.store.open(creating: true)
        if let data {
            return try await TemplatePublication(
                folder: paths[0], data: data, store, verifier, isJSON: self.store.json, shell
            ).run()
        }
        var run = PublishRun(store, verifier, isJSON: self.store.json, shell)
        for path in paths { try await run.publish(path) }
        return try run.finish()
    }
}
