internal import ArgumentParser
internal import PassDelivery
internal import PassSession

/// `passconduit manual`: writes the man pages, for installing and packaging.
struct Manual: Verb {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the man pages of passconduit and passconduit-deliver into a folder.",
        discussion: """
            EXAMPLES
              passconduit manual /usr/local/share/man/man1
            """,
        shouldDisplay: false)

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
    var folder: String

    func run(in shell: Shell) async throws -> ExitCode {
        for page in pages() {
            try shell.session.write(
                Array(page.source.utf8), to: "\(folder)/\(page.name).1", overwriting: true)
        }
        return .done
    }

    /// One page for each visible command, and one for `passconduit-deliver`.
    private func pages() -> [ManualPage] {
        let root = help(of: Passconduit.self)
        var commands: [(name: String, above: String?, type: any ParsableCommand.Type)] = [
            ("passconduit", nil, Passconduit.self)
        ]
        var pages: [ManualPage] = []
        var next = commands.startIndex
        while next < commands.endIndex {
            let command = commands[next]
            next += 1
            let below = command.type.configuration.subcommands
                .filter { $0.configuration.shouldDisplay }
                .map { ("\(command.name)-\($0._commandName)", command.name, $0) }
            commands += below
            var related: Set = [
                "passconduit-formats 5", "passconduit-library 5", "passconduit-records 5",
            ]
            related.formUnion(below.map { "\($0.0) 1" })
            if let above = command.above { related.formUnion(["passconduit 1", "\(above) 1"]) }
            if command.above == nil {
                related.formUnion([
                    "passconduit-deliver 1", "passconduit-serve 1", "passconduit-viewer 1",
                    "passconduit-hosting 7",
                ])
            }
            pages.append(
                ManualPage(
                    name: command.name,
                    help: help(of: command.type)
                        .completed(by: command.above == nil ? HelpText("") : root, "ENVIRONMENT")
                        .completed(by: root, "EXIT CODES", unlessThere: true),
                    related: related))
        }
        let delivery = ManualPage(
            name: "passconduit-deliver", help: HelpText(DeliveryHelp.text.description),
            related: [
                "passconduit 1", "passconduit-import 1", "passconduit-formats 5",
                "passconduit-library 5",
            ])
        return pages + [delivery]
    }

    private func help(of command: any ParsableCommand.Type) -> HelpText {
        HelpText(Passconduit.helpMessage(for: command, columns: HelpText.unwrapped))
    }
}
