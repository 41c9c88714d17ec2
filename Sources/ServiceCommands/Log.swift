internal import ArgumentParser
internal import PassPresentation
internal import PassService
internal import PassSession

/// `passconduit-serve log`: the messages of devices.
struct Log: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Print what devices reported, the newest first.",
        discussion: """
            Devices report errors in the answers of the service and in its passes. With a text, only \
            messages that contain it are printed.
            """)

    @Argument(help: ArgumentHelp("Text in the messages.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("Print at most this number.", valueName: "number"))
    var limit = 100

    @OptionGroup var store: StoreArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is at least 1") }
    }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let lines = try await store.open(creating: false)
            .logLines(containing: text, limit: limit)
        for line in lines {
            let record = LogRecord(line)
            try shell.print(
                record, asJSON: store.json, "\(record.received) \(line.text)".escaped)
        }
        return lines.isEmpty ? .nothingFound : .done
    }
}
