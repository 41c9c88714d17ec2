internal import ArgumentParser
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore

/// `passconduit remove`: removes passes from the library.
struct Remove: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove passes from the library, with all of their history.",
        discussion: """
            On a terminal, asks before it removes anything, unless --yes is given.

            \(nameOfAPass)

            EXAMPLES
              passconduit remove 1
              passconduit remove --yes 2 pass.com.example.boarding/0001
            """)

    @Argument(help: ArgumentHelp("The passes.", valueName: "id"), completion: .passNumbers)
    var ids: [String]

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var place: LibraryArguments

    func run(in shell: Shell) async throws -> ExitCode {
        let library = try place.library(for: .changing, in: shell.session)
        // Resolve all names before removing anything.
        let passes = try ids.map { try library.pass(named: $0) }
        let console = shell.console
        for pass in passes {
            let name = pass.identity.description.escaped
            let headline = pass.current.headline.escaped
            let question = localized(
                "Remove {name} ({number})?", ["name": headline, "number": name])
            guard yes || console.confirm(question) != false else { continue }
            let removed = localized("removed")
            if try library.remove(pass.identity) { try console.print("\(removed)  \(name)") }
        }
        return .done
    }
}
