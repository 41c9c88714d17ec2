internal import ArgumentParser
internal import Bytes
internal import Foundation
internal import Glibc
internal import MailSource
internal import PassImport
internal import PassStore
internal import SourceWatch

/// `passconduit watch`: imports what arrives.
struct Watch: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Import what arrives in mailboxes and folders, until it is stopped.",
        discussion: """
            Begins with what was missed: all that is new in these places since they were read last, \
            as `passconduit import` does. From then on it reads what arrives, moments after it is \
            there in full: mails in Maildirs and other folders, mails that are added to a mailbox, \
            downloads. Many changes at once are read together.

            A line is printed for each pass that comes in, as `passconduit import` does, once it is \
            safely on the disk; nothing for a pass that the library has already. Problems go to the \
            standard error, each once. Nothing is fetched, whatever mails link to. What cannot be kept \
            now (the disk is full, the library in use) is read again until it can.

            Name folders, with all that is in them, and mailboxes that are files. One that is moved \
            away, removed or unmounted is said to be gone, and watched again when it comes back. \
            Without names, these are watched, as far as they are there: ~/Maildir, ~/Mail, your mail \
            spool ($MAIL, or /var/mail/ and your name) and your downloads (XDG_DOWNLOAD_DIR of \
            user-dirs.dirs, or ~/Downloads). The folder of the library is left alone wherever it lies.

            Not every file system tells of changes, those of a network do not: every 15 minutes, or \
            what --interval says, everything is looked at. So are mailboxes that a program keeps open while \
            it writes to them. How many folders a person may have \
            watched, the system decides: where there are more, it is said, and everything is looked \
            at every minute; `sysctl fs.inotify.max_user_watches` is the number to raise.

            A pass that you removed does not come back as long as its mail or file stays what and \
            where it is: here and by `passconduit import` it is remembered what was read. What is read \
            anew brings it back: a mailbox that a mail program wrote anew, a file or folder of another \
            name (a mail of a Maildir may change its own), and everything, once the library's index \
            had to be made again. Give both commands the same --accept, --trust-root and --types: with \
            others, everything is read again.

            Once it watches, it can read files and write to the library's folder, and nothing else. \
            When that folder is exchanged for another, it ends with exit code 2.

            It ends with exit code 0 when it is told to (SIGTERM, SIGINT), and whenever it is ended, \
            the next one goes on from there. As a service of yours, from each login on:
              systemctl --user enable --now passconduit-watch

            EXAMPLES
              passconduit watch
              passconduit watch ~/Mail ~/Downloads
              passconduit watch --json /var/mail/$USER | jq -r .pass.description
              passconduit watch --accept unsigned --interval 60 /net/home/Maildir
            """)

    @Argument(
        help: ArgumentHelp(
            "Folders, and mailboxes that are files (default: your mail and your downloads).",
            valueName: "folder"),
        completion: .file())
    var paths: [String] = []

    @Flag(help: "Have the desktop tell what changed, too.")
    var notify = false

    @OptionGroup var types: TypeArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var acceptance: AcceptanceArguments
    @OptionGroup var output: OutputArguments

    @Option(
        help: ArgumentHelp(
            "Look at everything so often, in seconds (default: 900).", valueName: "number"),
        transform: positive)
    var interval: Int?

    func validate() throws {
        if paths.contains("") { throw ValidationError("'' is no path") }
        if paths.contains("-") { throw ValidationError("the standard input cannot be watched") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        var options = ImportOptions(try trust.verifier(in: shell), in: shell)
        options.types = try types.map(in: shell)
        options.policy = acceptance.policy
        options.program = Passconduit.configuration.version
        // Beside what the person does meanwhile.
        options.jobs = min(ProcessInfo.processInfo.activeProcessorCount, 2)
        var timing = WatchTiming()
        if let interval { timing.interval = .seconds(interval) }

        let places = try places(in: shell)
        let folder = try place.folder(in: shell)
        let notifier = notify ? ChangeNotifier(in: shell.environment) : nil
        defer { notifier?.end() }
        var reports = ImportPrinter(json: output.json, notifier: notifier, shell)
        StopSignals.beginAtRest()
        try await makeLibrary(at: folder, &reports, timing)
        try shell.confine(readsAnything: true, spooling: options.spool, library: folder)

        let (place, verifier) = (place, options.verifier)
        let loop = WatchLoop(
            places: places, folder: Path(folder.path),
            library: {
                // Who has waited for so long can come back later.
                try place.library(mendedBy: verifier, patience: .seconds(5), in: shell)
            },
            options: options, timing: timing, reports: reports)
        let stop = try StopSignals()
        let task = Task { try await loop.run(until: stop) }
        stop.begin { _ in task.cancel() }
        try await task.value
        return .done
    }

    /// Makes the library's folder where it is not there yet; until that can be done, nothing else can.
    private func makeLibrary(
        at folder: URL, _ reports: inout ImportPrinter, _ timing: WatchTiming
    ) async throws {
        while true {
            do throws(LibraryError) {
                return try PassLibrary.makeFolders(at: folder)
            } catch {
                reports.tell(error)
            }
            // In this thread: there is to be no other yet.
            _ = sleep(UInt32(clamping: timing.retry.components.seconds))
        }
    }

    private func places(in shell: Shell) throws(Failure) -> [Path] {
        guard paths.isEmpty else {
            let library = try place.folder(in: shell).path
            let places = try paths.map { path throws(Failure) in try place(path, in: shell) }
            for place in places where place.leads(to: Path(library)) {
                throw .usage("\(place) is the library itself")
            }
            return places
        }
        let places = shell.environment.watchedPlaces(isThere: isThere)
        guard !places.isEmpty else {
            throw .usage("there is neither mail nor a folder of downloads: name what to watch")
        }
        return places.map { Path($0) }
    }

    /// The place that somebody named, by its path or by a `file:` URL.
    private func place(_ name: String, in shell: Shell) throws(Failure) -> Path {
        let word = try SourceWord(name, in: shell)
        guard case .path(let path) = word else {
            throw .usage(
                "\(word.shown): only files and folders are watched (`passconduit import` fetches)")
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
