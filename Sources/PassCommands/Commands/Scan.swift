internal import ArgumentParser
internal import PassImport

/// `passconduit scan`: what passes are there?
struct Scan: Verb {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Find passes and judge them, and change nothing.",
        discussion: """
            Reads mailboxes (mbox, Maildir, MH, Apple Mail and others), single mails, pass files, \
            compressed files (gzip, xz, zstd, bzip2), ZIP and tar archives and folders of any mix \
            of these, by what they hold and not by their names, and prints a line for each pass: \
            the verdict, what it is, its name (pass type and serial number), and where it lies. \
            Problems go to the standard error, and the scan goes on.

            Verdicts: trusted (intact, and signed by whom Apple vouches for), untrusted (intact, but \
            nobody vouches for the signer), unsigned, tampered (not what was signed), malformed (not \
            readable as a pass).

            What is behind a URL is fetched, kept while it is read, and read as what it is: a pass, an \
            archive, a mail or a mailbox. A web page is searched for links to passes, and what these \
            lead to is fetched too; links in pages behind them are not. Nothing is fetched from this \
            computer and private networks, nor by http:, unless you say so.

            With --links, there is also a line for each link in the text of a mail that leads to a \
            pass: by its name, its media type, or a service known to hand out passes. These are not \
            fetched: nothing is but what you name a URL of, on the command line or in a list of URLs, \
            each on a line of its own, on the standard input.

            EXAMPLES
              passconduit scan ~/Mail
              passconduit scan --json archive.mbox | jq -r .sha256
              passconduit scan --links --json ~/Mail | jq -r 'select(.record=="link").url'
              passconduit scan https://example.com/ticket.pkpass
              passconduit scan --allow-private https://nas.local/2023.mbox.gz
            """)

    @OptionGroup var sources: SourceArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var time: TimeArguments
    @OptionGroup var output: OutputArguments

    func run(in shell: Shell) async throws -> ExitCode {
        var options = try sources.options(
            trust.verifier(at: time.at, in: shell), in: shell)
        let sources = try self.sources.sources(&options, in: shell)
        let session =
            try sources.contains(where: \.isFetched)
            ? FetchSession(self.sources.fetching, in: nil, shell) : nil
        defer { session?.end() }
        try shell.confine(
            reading: sources.flatMap(\.inputs),
            readsAnything: sources.contains(where: \.namesFiles), spooling: options.spool,
            working: [session?.folder].compactMap(\.self))
        let run = PipelineRun(options, output.json ? .json : .lines, in: shell)
        try await run.read(sources, session?.begin(nil))
        try run.finish()
        // A scan that could not read everything does not know that there is nothing.
        let nothing: ExitCode = run.summary.foundNothing ? .nothingFound : .done
        return nothing.joined(with: run.hadProblems ? .unreadable : .done)
    }
}
