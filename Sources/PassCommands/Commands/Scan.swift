internal import ArgumentParser
internal import PassImport
internal import PassSession

/// `passconduit scan`: lists passes in mail and files.
struct Scan: Verb {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Find and verify passes, without changing anything.",
        discussion: """
            Reads mailboxes (mbox, Maildir, MH, Apple Mail and others), single messages, pass \
            files, compressed files (gzip, xz, zstd, bzip2), ZIP and tar archives, and folders of \
            these. The content of a file decides how it is read, not its name. Prints a line for \
            each pass: verdict, kind, headline, name (pass type and serial number), and location. \
            Problems are reported on standard error, and the scan continues. Of the files that \
            cannot be read, the first 20 are listed and the others are counted.

            \(LinkOption.discussion) The scan can read what you named and the files that links \
            in it lead to, and with --follow-symlinks every file; it can write nothing.

            \(LineArguments.discussion)

            Verdicts: trusted (intact, and signed with a certificate from Apple), untrusted \
            (intact, but the signer is not trusted), unsigned, tampered (changed after it was \
            signed), malformed (not readable as a pass).

            A URL is fetched and read like a file: as a pass, an archive, a message or a mailbox. \
            Links to passes on a web page are followed one level deep. Hosts on this computer and \
            in private networks, and http: URLs, are fetched only with the options below.

            --links also prints a line for each link to a pass in the text of a message, \
            recognised by its name, its media type or a known pass service. These links are not \
            followed: only URLs on the command line, or in a list on standard input with one URL \
            per line, are fetched.

            EXAMPLES
              passconduit scan ~/Mail
              passconduit scan --json archive.mbox | jq -r '.sha256 // empty'
              passconduit scan --links --json ~/Mail | jq -r 'select(.record=="link").url'
              passconduit scan https://example.com/ticket.pkpass
              passconduit scan --allow-private https://nas.local/2023.mbox.gz
            """)

    @OptionGroup var sources: SourceArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var time: TimeArguments
    @OptionGroup var output: OutputArguments
    @OptionGroup var lines: LineArguments

    @Flag(name: .shortAndLong, help: "List every file that cannot be read.")
    var verbose = false

    func run(in shell: Shell) async throws -> ExitCode {
        var options = try sources.options(
            trust.verifier(at: time.at, in: shell.session), in: shell)
        let sources = try self.sources.sources(&options, in: shell)
        let session =
            try sources.contains(where: \.isFetched)
            ? FetchSession(self.sources.fetching, in: nil, shell) : nil
        defer { session?.end() }
        let inputs = sources.flatMap(\.inputs)
        options.held = HeldFiles(inputs)
        try shell.session.confine(
            reading: inputs,
            readsAnything: options.followsLinks || sources.contains(where: \.namesFiles),
            spooling: options.spool,
            working: [session?.folder].compactMap(\.self))
        let run = PipelineRun(
            options, output.json ? .json : .lines, printsFullLines: lines.long,
            listsUnreadable: verbose || shell.isVerbose, in: shell)
        try await run.read(sources, session?.begin(nil))
        try run.finish()
        // After read errors, the code for unreadable input takes precedence over "nothing found".
        let nothing: ExitCode = run.summary.foundNothing ? .nothingFound : .done
        return nothing.joined(with: run.hadProblems ? .unreadable : .done)
    }
}
