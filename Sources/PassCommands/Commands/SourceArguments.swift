internal import ArgumentParser
internal import Bytes
internal import Foundation
internal import PassDetection
internal import PassImport
internal import PassVerification

/// What is read, and how.
struct SourceArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Mailboxes, mails, pass files, folders, or file: URLs; - is the standard input.", valueName: "path"),
        completion: .file())
    var paths: [String]

    @Flag(
        help: ArgumentHelp(
            "Also list links to passes in the text of mails, and of .html and .txt files that you "
                + "name; nothing is fetched."))
    var links = false

    @Option(
        help: ArgumentHelp("Use this many cores (default: all).", valueName: "number"),
        transform: positive)
    var jobs: Int?

    @OptionGroup var types: TypeArguments

    func validate() throws {
        if paths.contains("") { throw ValidationError("'' is no path") }
    }
}

extension SourceArguments {
    func inputs(in shell: Shell) throws -> [Input] {
        try paths.map { try SourceWord($0, in: shell).input }
    }

    /// The options of a scan: no library.
    func options(_ verifier: PassVerifier, in shell: Shell) throws -> ImportOptions {
        var options = ImportOptions()
        options.verifier = verifier
        // More workers than anybody has cores only cost memory.
        options.jobs = min(jobs ?? ProcessInfo.processInfo.activeProcessorCount, 256)
        options.links = links ? LinkLimits() : nil
        if let folder = shell.environment["TMPDIR"] {
            options.spool.directories.insert(folder, at: 0)
        }
        options.types = try types.map(in: shell)
        return options
    }
}
