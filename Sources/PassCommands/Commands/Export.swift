internal import ArgumentParser
internal import Foundation
internal import PassModel
internal import PassStore

/// `passconduit export`: the pass file again, byte for byte.
struct Export: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a pass of the library to a file, exactly as it came.",
        discussion: """
            \(nameOfAPass)

            EXAMPLES
              passconduit export 1                     writes a file named for the pass
              passconduit export 1 -o ticket.pkpass
              passconduit export 1 -o - | ssh phone 'cat > ticket.pkpass'
            """)

    @Argument(help: ArgumentHelp("The pass.", valueName: "id"))
    var id: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write here; - is the standard output (default: SERIAL.pkpass in this folder).",
            valueName: "file"),
        completion: .file(extensions: ["pkpass"]))
    var output: String?

    @Flag(help: "Overwrite a file that is there already.")
    var force = false

    @OptionGroup var place: LibraryArguments

    func validate() throws {
        if output == "" { throw ValidationError("--output needs the name of a file") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let library = try place.library(for: .reading, in: shell)
        let version = try library.version(named: id)
        let octets = try library.octets(of: version)
        if output == "-" {
            guard !shell.console.output.isTerminal else {
                throw Failure.usage("a pass is no text: name a file, or a pipe behind -o -")
            }
            try shell.console.print(octets: Array(octets))
            return .done
        }

        let identity = try library.pass(named: id).identity
        let path = output ?? fileName(identity.serialNumber)
        try shell.write(Array(octets), to: path, overwriting: force)
        if output == nil { try shell.console.print(path.escaped) }
        return .done
    }
}

/// A name for a file, made of a serial number, which may hold anything: what is no letter, digit,
/// point or hyphen becomes a hyphen, and the name cannot be hidden or lead elsewhere.
package func fileName(_ serialNumber: String) -> String {
    let safe = serialNumber.unicodeScalars.prefix(100).map { scalar -> Character in
        let isSafe = scalar.isASCII && scalar.properties.isAlphabetic || "0"..."9" ~= scalar
        return isSafe || scalar == "." || scalar == "_" ? Character(scalar) : "-"
    }
    let name = String(String(safe).drop { $0 == "." || $0 == "-" })
    return (name.isEmpty ? "pass" : name) + ".pkpass"
}
