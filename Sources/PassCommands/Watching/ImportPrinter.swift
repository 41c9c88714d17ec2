internal import DesktopIntegration
internal import Glibc
internal import Localization
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import Platform
internal import SourceWatch

/// Prints events of repeated imports, each only once.
struct ImportPrinter: Sendable {
    private let console: Console
    private let json: Bool
    private let displayLocale: DisplayLocale
    private let lines: FoundLines
    /// Shows notifications of changed passes.
    private let notifier: ChangeNotifier?
    /// Hashes of printed lines that may recur.
    private var told: Set<Int> = []
    /// The reported failure, while it lasts.
    private var failure: LibraryError?

    /// Maximum number of lines remembered.
    private static let limit = 100_000

    /// - Parameter isFull: Whether lines are in full on a terminal as well.
    init(json: Bool, isFull: Bool, notifier: ChangeNotifier?, _ shell: Shell) {
        console = shell.console
        displayLocale = DisplayLocale(shell.environment, language: nil)
        lines = FoundLines(isFull: isFull, displayLocale, on: console.output)
        self.json = json
        self.notifier = notifier
    }

    mutating func tell(_ event: Event) throws {
        switch event {
        case .pass(let found):
            guard found.imported != .unchanged else { return }
            let changes = ToldChanges(by: found, displayLocale)
            if found.showsNotifications, let notice = changes?.notice { notifier?.tell(notice) }
            let line =
                try json
                ? jsonLine(PassRecord(found, changes), on: console.output)
                : lines.text(found, changes)
            // Rejected passes stay in place and are read again with new files next to them.
            guard found.imported != .refused || isNew(line) else { return }
            try console.print(line)
        case .link:
            // The options do not ask for links.
            break
        case .problem(let problem):
            let problem = ReportedProblem(problem)
            let clause = problemClause(problem)
            guard isNew(clause) else { return }
            if json { try console.print(jsonLine(ProblemRecord(problem), on: console.output)) }
            console.problem(clause)
        }
    }

    /// Reports how many links a complete run did not follow.
    mutating func tellLinks(_ summary: Summary, followsLinks: Bool) {
        let clause = linksClause(summary, followsLinks: followsLinks)
        if summary.linksNotFollowed > 0, isNew(clause) { console.problem(clause) }
    }

    /// Ends a run: the desktop shows the number of notifications left out.
    func finishRun() {
        notifier?.finishRun()
        if notifier?.waitForFailure() == true {
            console.problem(localized("notify-send failed: desktop notifications are not shown"))
        }
    }

    mutating func tell(_ notice: Notice) {
        let clause =
            switch notice {
            case .missing(let path):
                localized(
                    "{place}: does not exist; it will be watched once it does", ["place": "\(path)"]
                )
            case .gone(let path):
                localized(
                    "{place}: is gone; it will be watched again once it is back",
                    ["place": "\(path)"])
            case .back(let path): localized("{place}: exists now", ["place": "\(path)"])
            case .untold(let error): untold(error)
            }
        console.problem(clause.escaped)
    }

    mutating func tell(_ error: LibraryError) {
        guard failure != error else { return }
        failure = error
        let again = localized("new files will be tried again")
        console.problem("\(error.phrase.localized); \(again)".escaped)
    }

    /// After a success, the same failure is reported again.
    mutating func forgetFailure() { failure = nil }

    private mutating func isNew(_ line: String) -> Bool {
        if told.count >= ImportPrinter.limit { told = [] }
        return told.insert(line.hashValue).inserted
    }
}

private func untold(_ error: FileError) -> String {
    let limit: String? =
        switch error.code {
        case ENOSPC: "fs.inotify.max_user_watches"
        case EMFILE: "fs.inotify.max_user_instances"
        default: nil
        }
    let advice =
        limit.map { localized(" (`sysctl {name}` is the limit to raise)", ["name": $0]) } ?? ""
    return localized(
        "the system does not report changes in all folders: {reason}; everything is checked every minute",
        ["reason": error.reasonPhrase.localized + advice])
}
