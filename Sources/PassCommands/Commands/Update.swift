internal import ArgumentParser
internal import Bytes
internal import DesktopIntegration
internal import Fetching
internal import Foundation
internal import Localization
internal import MailSource
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassUpdates
internal import PassVerification
internal import Platform

/// `passconduit update`: asks the issuers' web services for newer versions.
struct Update: Verb {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Ask issuers for newer versions of the passes in the library.",
        discussion: """
            Many passes name a web service where the issuer publishes newer versions: a new gate, \
            a new balance. The command asks it about each pass that is due, and adds the newer \
            version to the library; the previous version stays in the history. A line is printed \
            for each pass that changed, with the issuer's message about the change.

            A new version is verified like any pass. It is added if it is trusted, has the same \
            type and serial number, and was not signed earlier; otherwise it is refused and the \
            library stays as it is. Only trusted passes are checked, because the web service that \
            other passes name cannot be relied on.

            A pass is due one hour after its last check; one day if its date is past; one week if \
            it is voided or expired; after a failure the wait grows. A pass that its issuer \
            declined (401, 403) or withdrew (410) is not checked again until there is another \
            version of it. A pass that you name is always checked, and --all checks all passes. \
            Issuers learn that the pass is still kept, and from which address.

            Each host gets at most two requests at a time, and only for changes since the last \
            check. A host that asks for a pause (429, 503) gets it. The authentication token of a \
            pass is sent only to the host that the pass names.

            Passes are not registered at their services: that needs a push token, which Apple \
            issues to its own devices only. Mistakes of a service are reported to its log, at most \
            once a day.

            --off turns automatic updates of passes off: such a pass is checked only if you name \
            it, even with --all. Without names, they are turned off for the whole library: \
            `passconduit update` then checks nothing and exits with code 0, so the timer can stay \
            enabled. --mute turns off notifications about passes, including those of \
            `passconduit watch`. New versions of a pass do not change its settings.

            \(nameOfAPass)

            To run it every hour from login on:
              systemctl --user enable --now passconduit-update.timer

            EXAMPLES
              passconduit update
              passconduit update pass.com.example.boarding/0001
              passconduit update --json | jq -r '.outcome // empty'
              passconduit update --off pass.com.example.boarding/0001
              passconduit update --notify
            """)

    @Argument(
        help: ArgumentHelp("The passes (default: all that are due).", valueName: "id"),
        completion: .passNumbers)
    var ids: [String] = []

    @Flag(help: "Also check passes that are not due.")
    var all = false

    @Flag(help: "Also show changes as desktop notifications.")
    var notify = false

    /// Set by the window, for people: problems name the host instead of the URL.
    @Flag(help: .hidden)
    var hosts = false

    @Flag(exclusivity: .exclusive)
    var change: SettingChange?

    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var permissions: FetchPermissions

    @Option(
        help: ArgumentHelp(
            "The largest file to fetch (default and maximum: \(largestPass >> 20)).",
            valueName: "MiB"),
        transform: positive)
    var maxSize: Int?

    @OptionGroup var output: OutputArguments

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all and names exclude each other") }
        guard let change else { return }
        if all || notify || maxSize != nil || !permissions.words.isEmpty {
            throw ValidationError(
                "--\(change.rawValue) goes only with --library, --trust-root and --json")
        }
        if ids.isEmpty, change.needsNames {
            throw ValidationError("--\(change.rawValue) needs the names of passes")
        }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        if let change {
            return try change.run(on: ids, of: place, trust, json: output.json, in: shell)
        }
        var options = UpdateOptions()
        options.verifier = try trust.verifier(in: shell.session)
        options.asksAll = all
        options.terms = permissions.conditions.terms
        options.terms.maximumSize = maxSize.map { min($0, largestPass >> 20) << 20 } ?? largestPass
        options.jobs = ProcessInfo.processInfo.activeProcessorCount
        options.spool = shell.session.spool
        options.message = { fault in fault.phrase.english }
        var configuration = permissions.configuration(in: shell.environment)
        // In seconds. Passes are small, and a slow response delays other requests to its host.
        configuration.totalTimeout = 300
        let folder = try place.folder(in: shell.session)
        let bodies = try takeFolder(PassLibrary.makeUpdatesFolder(at: folder))
        let program = try FetchProgram(writingTo: bodies.path, configuration)
        let notifier = notify ? ChangeNotifier(in: shell.environment) : nil
        defer { notifier?.end() }
        try shell.session.confine(spooling: options.spool, library: folder)

        let library = try place.library(for: .changing, in: shell.session)
        let passes = try ids.map { try library.pass(named: $0) }
        let console = shell.console
        let reports = UpdatePrinter(json: output.json, notifier: notifier, namesHosts: hosts, shell)
        if ids.isEmpty, console.errors.isTerminal, try !library.updatesAutomatically() {
            console.note(
                localized(
                    "automatic updates of all passes are off; to turn them on: {command}",
                    ["command": "passconduit update --on"]))
        }
        let run = UpdateRun(library, try program.connect(), in: Path(bodies.path), options)
        let summary = try await run.run(
            ids.isEmpty ? .due : .named(passes),
            progress: { done, total in
                console.show(
                    .init(bytesDone: done, bytesTotal: total, source: "", unit: .passes))
            },
            report: reports.tell)
        try reports.finish(summary)
        return summary.hasFailures ? .unreadable : .done
    }

    private func takeFolder(_ path: String) throws(Failure) -> UpdateFolder {
        let folder: UpdateFolder?
        do throws(FileError) {
            folder = try UpdateFolder(at: path, patience: .seconds(30))
        } catch {
            throw .unwritable(path, reason: error.phrase)
        }
        guard let folder else {
            throw .unreadable(
                "the passes", reason: Phrase("another process is updating them"))
        }
        return folder
    }
}

/// In bytes. The verifier rejects larger files.
private let largestPass = VerificationLimits().archive
