internal import ArgumentParser
internal import PassDetection
internal import PassImport
internal import PassStore

/// `passconduit import`: finds passes and keeps the trusted ones.
struct Import: Verb {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Find passes, judge them, and keep the trusted ones in the library.",
        discussion: """
            Reads what `passconduit scan` reads, and says for each pass what became of it: added, \
            updated (a newer version of a pass in the library), older (joins the history of one), \
            unchanged, or refused. A line is printed only once the pass is safely on the disk; behind that \
            of an updated pass stands what changed, in its issuer's words.

            Only trusted passes enter. --accept lets in what nobody vouches for; the library shows \
            it as such for ever. Tampered and malformed passes never enter.

            The library remembers what was read: the next import of the same places reads what was \
            added to a mailbox, and the files that are new or were changed. A pass that you removed \
            comes back when its file is named, or with --all, which reads everything; so does \
            --links, as links are kept nowhere. With another --trust-root, --accept or --types, \
            everything is read again.

            What is behind a URL is fetched into a queue in the library, and leaves it once its passes \
            are imported or refused. Where that is interrupted, it goes on later from where it was, if \
            the server allows: `passconduit downloads` shows the queue and goes on with it.

            Links in mails are left alone. --follow-links fetches those that may lead to a pass, each \
            once (with --all again). Whoever sent the mail learns from that that it was read, when, \
            and from which address, and may have made the link for nothing else. `passconduit scan \
            --links` shows them first. A pass that a link holds itself (data:) is read, and nothing \
            fetched for it. Without a URL or --follow-links, nothing is fetched.

            The standard input may also be a list of URLs, each on a line of its own: one in which \
            each line of the first 64 KiB is a URL, or a comment, which begins with #. With --brief or \
            --tolerate-problems, as mail programs run this, it is never taken for one: nothing is \
            fetched because a mail says so.

            Where the library's index is damaged or gone, it is set aside in 'damaged', made again \
            from the pass files, and told on the standard error; then the import goes on.

            EXAMPLES
              passconduit import ~/Mail ~/Downloads
              passconduit import --all ~/Mail
              passconduit import --accept unsigned concert.pkpass
              passconduit import --json - < archive.mbox
              passconduit import https://example.com/ticket.pkpass
              passconduit import - < urls.txt
              passconduit import --follow-links mail.eml
            """)

    @OptionGroup var sources: SourceArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var output: OutputArguments

    @Flag(
        help: ArgumentHelp(
            "Read also what an earlier import read and what has not changed since."))
    var all = false

    @Flag(
        help: ArgumentHelp(
            "Also fetch what links in mails lead to, if that may be a pass. The sender learns that the "
                + "mail was read, when and from where; hence only if you ask for it."))
    var followLinks = false

    @OptionGroup var acceptance: AcceptanceArguments

    @Flag(
        help: ArgumentHelp(
            "Exit with 0 whatever is wrong with the input: its problems, and the passes that are refused, are "
                + "told on the standard error and no more. What the system cannot do is still a failure."
        )
    )
    var tolerateProblems = false

    @Flag(
        help: ArgumentHelp(
            "Print three words for each pass, for other programs: what became of it, its type and serial "
                + "number, its verdict.")
    )
    var brief = false

    func validate() throws {
        if brief, output.json { throw ValidationError("--brief and --json exclude each other") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let authorities = try trust.authorities(in: shell)
        var options = try self.sources.options(
            shell.verifier(believing: authorities), in: shell)
        options.policy = acceptance.policy
        let sources = try self.sources.sources(
            &options, readsLists: !brief && !tolerateProblems, in: shell)
        let inputs = sources.flatMap(\.inputs)
        let folder = try place.folder(in: shell)
        // What has to be made, is made while that is possible.
        let making = Result { () throws(LibraryError) in try PassLibrary.makeFolders(at: folder) }
        if followLinks {
            options.links = LinkLimits()
            options.readsDataLinks = true
        }
        var session =
            try followLinks || sources.contains(where: \.isFetched)
            ? FetchSession(
                self.sources.fetching, in: PassLibrary.downloadsFolder(at: folder), shell)
            : nil
        session?.judge(with: options, believing: authorities)
        try shell.confine(
            reading: inputs, readsAnything: sources.contains(where: \.namesFiles),
            spooling: options.spool, library: folder)
        let (place, verifier) = (place, options.verifier)
        let open = { @Sendable in
            try making.get()
            return try place.library(mendedBy: verifier, in: shell)
        }
        // Of the standard input nothing is remembered.
        let isStream =
            session == nil
            && inputs.allSatisfy { if case .standardInput = $0 { true } else { false } }
        if isStream { options.opensLibrary = open } else { options.library = try open() }
        options.readsAll = all
        options.program = Passconduit.configuration.version
        let run = PipelineRun(
            options, brief ? .brief : output.json ? .json : .lines,
            tellsRefusals: tolerateProblems, tellsLinks: self.sources.links, in: shell)
        let fetched = try session?.begin(options.library)
        let links =
            followLinks ? fetched.map { FollowedLinks(into: $0, fetchesAgain: all) } : nil
        try await run.read(sources, fetched, following: links)
        try run.finish()
        let isUnreadable = tolerateProblems ? run.hadFailures : run.hadProblems
        return isUnreadable ? .unreadable : .done
    }
}
