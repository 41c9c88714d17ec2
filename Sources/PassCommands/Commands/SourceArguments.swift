internal import ArgumentParser
internal import PassDetection
internal import PassImport
internal import PassStore
internal import PassVerification

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
    var inputs: [Input] {
        paths.map { $0 == "-" ? .standardInput : .path($0) }
    }

    /// The options of a scan: no library.
    func options(_ trust: TrustArguments, in shell: Shell) throws -> ImportOptions {
        var options = ImportOptions()
        if let jobs { options.jobs = jobs }
        return options
    }
}
