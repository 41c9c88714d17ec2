internal import ArgumentParser
internal import PassImport
internal import PassLinks
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore

/// `passconduit import`: finds passes and stores the trusted ones.
struct Import: Verb {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Find passes, verify them, and add the trusted ones to the library.",
        discussion: """
            Reads the same input as `passconduit scan` and prints what happened to each pass: \
            added, updated (a newer version of a pass in the library), older (added to the history \
            of a pass), unchanged, or refused. A line is printed only after the pass is safely on \
            disk. The line of an updated pass ends with what changed, in the issuer's words. A \
            copy of a signed pass that is only packed in another way is unchanged, too; the library \
            stores the better of the two.

            \(LineArguments.discussion) Passes that are already in the library get no line there without \
            --verbose. The summary at the end counts what was added, updated, unchanged and \
            refused, and a command to try next follows.

            \(LinkOption.discussion) The import can read what you named and the files that links \
            in it lead to, and with --follow-symlinks every file; it can write to the library only.

            Only trusted passes are added. --accept also admits untrusted or unsigned passes; the \
            library keeps marking them as such. A pass that was trusted stays so if it is imported \
            again without its authority. Tampered and malformed passes are never added. The exit \
            code is 3 if a pass, bundle or URL that you name is refused, so that \
            `passconduit import x.pkpass && rm x.pkpass` is safe. It is not for passes inside mail \
            and folders, in lists of names and from standard input.

            The library remembers what was read: the next import of the same places reads only \
            mail added to a mailbox, and new or changed files. A mailbox that has grown is read up to \
            its former end to compare it with a digest, which takes about a second per GiB; if it \
            differs, the whole mailbox is searched again. To bring back a pass that you \
            removed, name its file or use --all, which reads everything. --links also reads \
            everything, because links are not stored. So does a change of --trust-root, --accept \
            or --types.

            URLs are fetched through a queue in the library; a download leaves the queue when its \
            passes are imported or refused. An interrupted download continues later where it \
            stopped if the server allows it: `passconduit downloads` lists and resumes the queue. \
            Cookies last for the redirects of one URL, and are then forgotten.

            Links in mail are not followed. --follow-links fetches those that may lead to a pass, \
            each once (again with --all). The sender then learns that the mail was read, when, and \
            from which address, and may have made the link for that purpose alone. Use \
            `passconduit scan --links` to see the links first. A pass inside a link (data:) is \
            always read, since nothing is fetched. Without a URL or --follow-links, nothing is fetched.

            Standard input may be a list of URLs, one per line. It is read as a list if every line \
            of its first 64 KiB is a URL or a comment that begins with #. With --brief or \
            --tolerate-problems, as mail programs use them, it is never read as a list: a mail \
            cannot cause a fetch.

            If the library's index is damaged or missing, import reports it on standard error, \
            moves it to 'damaged', rebuilds it from the pass files, and continues.

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
    @OptionGroup var lines: LineArguments

    @Flag(
        help: ArgumentHelp(
            "Also read files that an earlier import read and that have not changed since."))
    var all = false

    @Flag(
        help: ArgumentHelp(
            "Also fetch links in mail that may lead to a pass. The sender learns when, and from "
                + "which address, the mail was read."))
    var followLinks = false

    @OptionGroup var acceptance: AcceptanceArguments

    @Flag(
        name: .shortAndLong,
        help: ArgumentHelp(
            "On a terminal, also list passes that are already in the library; and list every file "
                + "that cannot be read."))
    var verbose = false

    @Flag(
        help: ArgumentHelp(
            "Exit with 0 even if input has problems or passes are refused: report both on standard "
                + "error. Errors of the system are still failures.")
    )
    var tolerateProblems = false

    @Flag(
        help: ArgumentHelp(
            "Print three words per pass, for other programs: outcome, name (type and serial "
                + "number), verdict.")
    )
    var brief = false

    func validate() throws {
        if brief, output.json { throw ValidationError("--brief and --json exclude each other") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let authorities = try trust.authorities(in: shell.session)
        var options = try self.sources.options(
            shell.session.verifier(believing: authorities), in: shell)
        options.policy = acceptance.policy
        let sources = try self.sources.sources(
            &options, readsLists: !brief && !tolerateProblems, in: shell)
        let inputs = sources.flatMap(\.inputs)
        let folder = try place.folder(in: shell.session)
        // Create folders before the sandbox forbids it.
        let making = Result { () throws(LibraryError) in try PassLibrary.makeFolders(at: folder) }
        if followLinks {
            options.links = LinkLimits()
        }
        var session =
            try followLinks || sources.contains(where: \.isFetched)
            ? FetchSession(
                self.sources.fetching, in: PassLibrary.downloadsFolder(at: folder), shell)
            : nil
        session?.judge(with: options, believing: authorities)
        options.held = HeldFiles(inputs)
        try shell.session.confine(
            reading: inputs,
            readsAnything: options.followsLinks || sources.contains(where: \.namesFiles),
            spooling: options.spool, library: folder)
        let (place, verifier) = (place, options.verifier)
        let open = { @Sendable in
            try making.get()
            return try place.library(mendedBy: verifier, in: shell.session)
        }
        // The standard input is not remembered as already read, so the library is not needed yet.
        let isStream =
            session == nil
            && inputs.allSatisfy { if case .standardInput = $0 { true } else { false } }
        if isStream { options.opensLibrary = open } else { options.library = try open() }
        options.readsAll = all
        options.program = Passconduit.configuration.version
        let run = PipelineRun(
            options, brief ? .brief : output.json ? .json : .lines, printsFullLines: lines.long,
            printsUnchanged: verbose || shell.isVerbose,
            listsUnreadable: verbose || shell.isVerbose, tellsRefusals: tolerateProblems,
            tellsLinks: self.sources.links, in: shell)
        let fetched = try session?.begin(options.library)
        let links =
            followLinks ? fetched.map { FollowedLinks(into: $0, fetchesAgain: all) } : nil
        try await run.read(sources, fetched, following: links)
        try run.finish { nextCommand(after: $0, in: shell) }
        if tolerateProblems { return run.hadFailures ? .unreadable : .done }
        let code: ExitCode = run.refusedNamedSource ? .notTrusted : .done
        return code.joined(with: run.hadProblems ? .unreadable : .done)
    }

    /// A command that shows what was added or why a file was refused; nil if it would need more
    /// options.
    private func nextCommand(after tally: ImportTally, in shell: Shell) -> String? {
        guard place.library == nil, trust.roots.isEmpty else { return nil }
        switch tally.newPasses.count {
        case 0:
            guard let file = tally.refusedFile, file.shortenedName.escaped == file,
                !file.hasPrefix("-")
            else { return nil }
            return "passconduit verify \(quoted(file))"
        case 1:
            guard let identity = tally.newPasses.first,
                let stored = try? place.library(for: .reading, in: shell.session).pass(
                    withPassTypeIdentifier: identity.passTypeIdentifier,
                    serialNumber: identity.serialNumber)
            else { return nil }
            return "passconduit show \(stored.id)"
        default: return "passconduit list"
        }
    }
}
