internal import ArgumentParser
internal import Foundation
internal import PassDetection
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore

/// `passconduit export`: writes the original pass file.
struct Export: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a pass of the library to a file, byte for byte as it arrived.",
        discussion: """
            \(nameOfAPass)

            EXAMPLES
              passconduit export 1                     writes a file named for the pass
              passconduit export 1 -o ticket.pkpass
              passconduit export 1 -o - | ssh phone 'cat > ticket.pkpass'
            """)

    @Argument(help: ArgumentHelp("The pass.", valueName: "id"), completion: .passNumbers)
    var id: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to this file; - is standard output (default: SERIAL.pkpass in this folder).",
            valueName: "file"),
        completion: .file(extensions: UniformType.pass.fileExtensions))
    var output: String?

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var place: LibraryArguments

    func validate() throws {
        if output == "" { throw ValidationError("--output needs the name of a file") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let library = try place.library(for: .reading, in: shell.session)
        let version = try library.version(named: id)
        let octets = try library.octets(of: version)
        if output == "-" {
            guard !shell.console.output.isTerminal else {
                throw Failure.usage(
                    Phrase("a pass is not text: name a file, or pipe the output of -o -"))
            }
            try shell.console.print(octets: Array(octets))
            return .done
        }

        let identity = try library.pass(named: id).identity
        let path = output ?? fileName(identity.serialNumber)
        try shell.session.write(Array(octets), to: path, overwriting: force)
        if output == nil { try shell.console.print(path.escaped) }
        return .done
    }
}
