internal import ArgumentParser
internal import Bytes
internal import Foundation
internal import PassDetection
internal import PassImport

/// What is read, and how.
struct SourceArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Mailboxes, mails, pass files, folders; - is the standard input.", valueName: "path"),
        completion: .file())
    var paths: [String]

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
}

extension SourceArguments {
    func inputs(in shell: Shell) -> [Input] {
        paths.map { $0 == "-" ? .standardInput : .path(shell.path($0)) }
    }

    /// The options of a scan: no library.
    func options(_ trust: TrustArguments, in shell: Shell) throws -> ImportOptions {
        var options = ImportOptions()
        options.verifier = try trust.verifier(in: shell)
        // More workers than anybody has cores only cost memory.
        options.jobs = min(jobs ?? ProcessInfo.processInfo.activeProcessorCount, 256)
        if let folder = shell.environment["TMPDIR"] {
            options.spool.directories.insert(folder, at: 0)
        }
        if !types.isEmpty {
            options.types = TypeMap(try types.flatMap(declarations))
        }
        return options
    }
}

/// The types that a property list declares.
private func declarations(at path: String) throws -> [UniformType] {
    do {
        return try TypeDeclarations.read(contents(of: path))
    } catch let error as TypeDeclarationError {
        throw Failure.unreadable(path, reason: "\(error)")
    }
}
