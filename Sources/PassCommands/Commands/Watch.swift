internal import ArgumentParser
internal import Bytes
internal import DesktopIntegration
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import SourceWatch

/// `passconduit watch`: imports passes as they arrive.
struct Watch: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Import what arrives in mailboxes and folders, until it is stopped.",
        discussion: """
            Starts with everything that arrived since these places were last read, like \
            `passconduit import`. Then it reads new mail and files moments after they are \
            complete: messages in Maildirs and other folders, messages added to a mailbox, \
            downloads. Bursts of changes are read together. After each delivery to a mailbox \
            file, the whole file is compared with a digest, which takes about a second per GiB.

            Prints a line for each pass after it is safely on disk, like `passconduit import`; a \
            pass that is already in the library gets no line. Each problem is reported once, on \
            standard error. Links in mail are never followed. If a pass cannot be stored now (disk \
            full, library in use), its source is read again later.

            Name folders or mailbox files. A place that is \
            moved, removed or unmounted is reported, and watched again once it is back. Without \
            names, these are watched if they exist: ~/Maildir, ~/Mail, your mail spool ($MAIL, or \
            /var/mail/ and your user name) and your downloads (XDG_DOWNLOAD_DIR of user-dirs.dirs, \
            or ~/Downloads). The folder of the library is never watched.

            \(LinkOption.discussion)

            Some file systems, such as network file systems, do not report changes. Therefore \
            everything is checked every 15 minutes, or as --interval says; so are mailboxes that a \
            program keeps open while it writes. The system limits the number of watched folders: \
            beyond that limit the command reports it and checks everything every minute; raise the \
            limit with `sysctl fs.inotify.max_user_watches`.

            A pass that you removed does not come back as long as its message or file stays \
            unchanged and in place, because both this command and `passconduit import` remember \
            what they read. It comes back when it is read again: from a mailbox that a mail \
            program rewrote, from a renamed file or folder (messages in a Maildir may be renamed), \
            or after the library's index was rebuilt. Give both commands the same --accept, \
            --trust-root and --types; otherwise everything is read again.

            Once it watches, the command can read files and write to the library's folder, and \
            nothing else. If that folder is replaced by another, it exits with code 2.

            SIGTERM and SIGINT end it with exit code 0. However it ends, the next run continues \
            from there. To run it as a service from login on:
              systemctl --user enable --now passconduit-watch

            EXAMPLES
              passconduit watch
              passconduit watch ~/Mail ~/Downloads
              passconduit watch --json /var/mail/$USER | jq -r '.pass.description // empty'
              passconduit watch --accept unsigned --interval 60 /net/home/Maildir
            """)

    @Argument(
        help: ArgumentHelp(
            "Folders and mailbox files (default: your mail and your downloads).",
            valueName: "folder"),
        completion: .file())
    var paths: [String] = []

    @Flag(help: "Also show changes as desktop notifications.")
    var notify = false

    @Flag(name: [.customShort("L"), .long], help: ArgumentHelp(LinkOption.help))
    var followSymlinks = false

    @OptionGroup var types: TypeArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var acceptance: AcceptanceArguments
    @OptionGroup var output: OutputArguments
    @OptionGroup var lines: LineArguments

    @Option(
        help: ArgumentHelp(
            "Check everything at this interval, in seconds (default: 900).", valueName: "number"),
        transform: positive)
    var interval: Int?

    func validate() throws {
        if paths.contains("") { throw ValidationError("the path is empty") }
        if paths.contains("-") { throw ValidationError("the standard input cannot be watched") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        var options = ImportOptions(try trust.verifier(in: shell.session), in: shell.session)
        options.types = try types.map(in: shell)
        options.policy = acceptance.policy
        options.followsLinks = followSymlinks
        options.program = Passconduit.configuration.version
        // Leave processors for the user's other programs.
        options.jobs = min(ProcessInfo.processInfo.activeProcessorCount, 2)
        var timing = WatchTiming()
        if let interval { timing.interval = .seconds(interval) }

        let places = try places(in: shell)
        let folder = try place.folder(in: shell.session)
        let notifier = notify ? ChangeNotifier(in: shell.environment) : nil
        if notify, notifier == nil {
            shell.console.problem(
                localized(
                    "notify-send is not installed or cannot be started: desktop notifications are not shown"
                ))
        }
        defer { notifier?.end() }
        var reports = ImportPrinter(
            json: output.json, isFull: lines.long, notifier: notifier, shell)
        StopSignals.beginAtRest()
        try await makeLibrary(at: folder, &reports, timing)
        try shell.session.confine(readsAnything: true, spooling: options.spool, library: folder)

        let (place, verifier) = (place, options.verifier)
        let loop = WatchLoop(
            places: places, folder: Path(folder.path),
            library: {
                // A long wait is pointless here: the loop tries again later.
                try place.library(mendedBy: verifier, patience: .seconds(5), in: shell.session)
            },
            options: options, timing: timing, reports: reports)
        let stop = try StopSignals()
        let (start, starting) = AsyncStream.makeStream(of: Never.self)
        let task = Task {
            for await _ in start {}
            try await loop.run(until: stop)
        }
        stop.begin { _ in task.cancel() }
        // From now on, a signal lets an import end properly.
        starting.finish()
        try await task.value
        return .done
    }

    /// Creates the library's folder, and retries until that succeeds.
    private func makeLibrary(
        at folder: URL, _ reports: inout ImportPrinter, _ timing: WatchTiming
    ) async throws {
        while true {
            do throws(LibraryError) {
                return try PassLibrary.makeFolders(at: folder)
            } catch {
                reports.tell(error)
            }
            // Blocks on purpose: no other thread may start before confinement.
            _ = sleep(UInt32(clamping: timing.retry.components.seconds))
        }
    }

    private func places(in shell: Shell) throws(Failure) -> [Path] {
        guard paths.isEmpty else {
            let library = try place.folder(in: shell.session).path
            let places = try paths.map { path throws(Failure) in try place(path, in: shell) }
            for place in places where place.leads(to: Path(library)) {
                throw .usage(
                    Phrase("{place} is the library itself", ["place": .text(place.description)]))
            }
            return places
        }
        let places = shell.environment.watchedPlaces(isThere: isThere)
        guard !places.isEmpty else {
            throw .usage(
                Phrase("found neither mail nor a folder of downloads: name what to watch"))
        }
        return places.map { Path($0) }
    }

    /// The path of an argument, which may be a `file:` URL.
    private func place(_ name: String, in shell: Shell) throws(Failure) -> Path {
        let word = try SourceWord(name, in: shell.session)
        guard case .path(let path) = word else {
            throw .usage(
                Phrase(
                    "{place}: only files and folders can be watched (`passconduit import` fetches URLs)",
                    ["place": .text(word.shown)]))
        }
        return path
    }
}

private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
}

extension Path {
    fileprivate func leads(to other: Path) -> Bool {
        guard let here = status(followsLinks: true), let there = other.status(followsLinks: true)
        else { return false }
        return here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }
}
