internal import ArgumentParser
internal import Bytes
internal import Fetching
internal import Foundation
internal import MailSource
internal import PassStore
internal import PassUpdates
internal import PassVerification

/// `passconduit update`: what do the issuers say by now?
struct Update: Verb {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Ask issuers for newer versions of the passes in the library.",
        discussion: """
            Many passes say where their issuer gives out newer versions of them: the gate of a flight, \
            the balance of a card. Each that is due is asked about there, and what is new enters the \
            library in its place; the version before joins its history. A line is printed for each pass \
            that changed, with what its issuer has to say about the change.

            What comes is judged as every pass is. It takes the place of the one in the library if it is \
            trusted, of the same type and serial number, and not signed earlier; else it is refused, and \
            the library stays as it is. Only trusted passes are asked about: what others say of where to \
            ask is nobody's word.

            A pass is due an hour after it was asked about, one whose day is over after a day, one that is \
            voided or expired after a week; where something goes wrong, after longer and longer. An \
            issuer who refuses (401, 403) or has withdrawn a pass (410) is not asked again until there \
            is another version of it. A pass that you name is asked about in any case, and --all asks \
            about all. Issuers learn that the pass is still kept, and from which address.

            Each host gets two requests at a time, and these only ask for what changed since. One that \
            wants to be left alone is left alone. The secret of a pass goes to the host that the pass \
            names, and nowhere else.

            \(nameOfAPass)

            By itself, each hour from each login on:
              systemctl --user enable --now passconduit-update.timer

            EXAMPLES
              passconduit update
              passconduit update pass.com.example.boarding/0001
              passconduit update --json | jq -r .outcome
            """)

    @Argument(help: ArgumentHelp("The passes (default: all that are due).", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Ask also about passes that are not due.")
    var all = false

    @Flag(help: "Have the desktop tell what changed, too.")
    var notify = false

    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var permissions: FetchPermissions

    @Option(
        help: ArgumentHelp(
            "Give up on what is larger (default, and at most: \(largestPass >> 20)).",
            valueName: "MiB"),
        transform: positive)
    var maxSize: Int?

    @OptionGroup var output: OutputArguments

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all and names exclude each other") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        var options = UpdateOptions()
        options.verifier = try trust.verifier(in: shell)
        options.asksAll = all
        options.terms = permissions.conditions.terms
        options.terms.maximumSize = maxSize.map { min($0, largestPass >> 20) << 20 } ?? largestPass
        options.jobs = ProcessInfo.processInfo.activeProcessorCount
        options.spool = shell.spool
        let folder = try place.folder(in: shell)
        let bodies = try takeFolder(PassLibrary.makeUpdatesFolder(at: folder))
        var configuration = FetchConfiguration(in: shell.environment)
        // A pass is small; a server that gives it out drop by drop holds up the others of its host.
        configuration.totalTimeout = 300
        let program = try FetchProgram(writingTo: bodies.path, configuration, in: shell)
        let notifier = notify ? ChangeNotifier(in: shell.environment) : nil
        defer { notifier?.end() }
        try shell.confine(spooling: options.spool, library: folder)

        let library = try place.library(for: .changing, in: shell)
        let passes = try ids.map { try library.pass(named: $0) }
        let console = shell.console
        let reports = UpdatePrinter(json: output.json, notifier: notifier, shell)
        var run = UpdateRun(library, try program.connect(), in: Path(bodies.path), options)
        let summary = try await run.run(
            only: ids.isEmpty ? nil : passes,
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
            throw .unwritable(path, reason: error.description)
        }
        guard let folder else {
            throw .unreadable("the passes", reason: "another process is asking about them")
        }
        return folder
    }
}

/// In bytes; the verifier takes no larger one.
private let largestPass = VerificationLimits().archive
