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
            "Mailboxes, mails, pass files, folders; - is the standard input.", valueName: "path"),
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

    @Option(
        help: ArgumentHelp(
            "Also take for passes what a property list of an app declares "
                + "(UTExportedTypeDeclarations); repeatable.",
            valueName: "file"),
        completion: .file(extensions: ["plist"]))
    var types: [String] = []

    func validate() throws {
        if paths.contains("") { throw ValidationError("'' is no path") }
        if types.contains("") { throw ValidationError("--types needs the name of a file") }
    }
}

extension SourceArguments {
    func inputs(in shell: Shell) -> [Input] {
        paths.map { $0 == "-" ? .standardInput : .path(shell.path($0)) }
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
        if !types.isEmpty {
            options.types = TypeMap(try types.flatMap { try declarations(at: $0, in: shell) })
        }
        return options
    }
}

/// The types that a property list declares.
private func declarations(at path: String, in shell: Shell) throws(Failure) -> [UniformType] {
    let file = try shell.contents(of: path)
    do throws(TypeDeclarationError) {
        return try TypeDeclarations.read(Data(file))
    } catch {
        throw .unreadable(path, reason: "\(error)")
    }
}
