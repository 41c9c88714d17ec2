internal import ArgumentParser
internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// `passconduit list`: lists the passes of the library.
struct List: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the passes of the library.",
        discussion: """
            Prints one line per pass: number, style, headline, relevant date, verdict, and name \
            (pass type and serial number). `show`, `export` and `remove` take the number or the \
            name. On a terminal, the next event comes first, then passes without a date, and past \
            ones last. There, messages that wait in the spool of `passconduit-deliver --spool` \
            are counted at the end. A trusted pass whose authority you no longer trust is marked as no longer vouched \
            for. For a week after a new version arrived, the line also says what it changed, in \
            the issuer's words.

            \(LineArguments.discussion)

            EXAMPLES
              passconduit list
              passconduit list --limit 20 --page 2
              passconduit list --json | jq -r .id
            """)

    @OptionGroup var place: LibraryArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var output: OutputArguments
    @OptionGroup var lines: LineArguments

    @Option(
        help: ArgumentHelp("Print at most this many passes (default: all).", valueName: "number"),
        transform: positive)
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "The page to print, with --limit as its size; counts from 1.", valueName: "number"),
        transform: positive)
    var page: Int = 1

    @Option(
        help: ArgumentHelp(
            "The order: by date (the latest first), by organization, or by last update (default: by "
                + "date; on a terminal without --long, the next event first).",
            valueName: "order"))
    var sort: Sorting?

    enum Sorting: String, ExpressibleByArgument, CaseIterable {
        case date, organization, update

        var order: PassOrder {
            switch self {
            case .date: .relevantDate
            case .organization: .organization
            case .update: .lastUpdate
            }
        }
    }

    func validate() throws {
        if page > 1, limit == nil { throw ValidationError("--page needs --limit") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let mail = place.mailWaiting(in: shell.session)
        // Also if the library cannot be opened: then messages wait.
        defer {
            if !output.json, shell.console.output.isTerminal {
                for line in mail.map(spoolLines) ?? [] { shell.console.note(line) }
            }
        }
        let anchors = try trust.anchors(in: shell.session)
        guard let library = try place.libraryIfAny(in: shell) else { return .done }
        let limit = limit ?? .max
        let (offset, overflow) = (page - 1).multipliedReportingOverflow(by: limit)
        let (passes, past) = overflow ? ([], []) : try self.passes(library, limit, offset, shell)
        try printPasses(
            passes, past: past, of: library, trusting: anchors, json: output.json,
            isFull: lines.long, in: shell)
        if passes.isEmpty, past.isEmpty {
            let count = try library.count()
            shell.hint(
                count == 0
                    ? emptyLibrary
                    : counted(
                        "the library has only {count} pass", "the library has only {count} passes",
                        count), json: output.json)
        }
        return .done
    }

    /// A page of the library. Those that are past are apart on a terminal, if no order is given.
    private func passes(
        _ library: PassLibrary, _ limit: Int, _ offset: Int, _ shell: Shell
    ) throws -> (passes: [StoredPass], past: [StoredPass]) {
        guard sort == nil, !output.json, !lines.long, shell.console.output.isTerminal else {
            let order = (sort ?? .date).order
            return (try library.passes(sortedBy: order, limit: limit, offset: offset), [])
        }
        let now = Date.now
        let parts = PassSection.arranged(try library.passes()) {
            PassPlace(of: $0.current, now: now)
        }
        let page = parts.flatMap { part in part.passes.map { (part.section, $0) } }
            .dropFirst(offset).prefix(limit)
        return (
            page.filter { $0.0 != .past }.map(\.1), page.filter { $0.0 == .past }.map(\.1)
        )
    }
}

/// Prints passes of the library, as lines or as records.
///
/// - Parameter past: Printed after the others, below a heading.
func printPasses(
    _ passes: [StoredPass], past: [StoredPass] = [], of library: PassLibrary,
    trusting anchors: TrustAnchors, json: Bool, isFull: Bool, in shell: Shell
) throws {
    let displayLocale = DisplayLocale(shell.environment, language: nil)
    let changes = try RecentChanges(passes + past, in: library, displayLocale)
    if json {
        for pass in passes {
            let record = LibraryPassRecord(
                pass, isVouchedFor: pass.isVouchedFor(by: anchors), changes: changes[pass])
            try shell.console.print(jsonLine(record, on: shell.console.output))
        }
    } else {
        let lines = storedLines(
            passes, past: past, trusting: anchors, changes, displayLocale, isFull: isFull,
            on: shell.console.output)
        for line in lines {
            try shell.console.print(line)
        }
    }
    if changes.left > 0 {
        shell.console.problem(
            localized(
                "recent changes are shown for {count} passes, and not for {number} more",
                ["count": grouped(RecentChanges.most), "number": grouped(changes.left)]))
    }
}
