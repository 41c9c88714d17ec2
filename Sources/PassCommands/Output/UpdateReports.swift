internal import PassModel
internal import PassStore
internal import PassUpdates
internal import PassVerification

/// What `update` prints while it goes.
struct UpdateReports {
    private let json: Bool
    private let console: Console
    private let reader: Reader
    /// Tells the desktop of passes that changed.
    private let notifier: ChangeNotifier?

    init(json: Bool, notifier: ChangeNotifier?, _ shell: Shell) {
        self.json = json
        self.notifier = notifier
        console = shell.console
        reader = Reader(shell.environment, language: nil)
    }

    func tell(_ report: UpdateReport) throws {
        let changes = ToldChanges(by: report, reader)
        if let notice = changes?.notice { notifier?.tell(notice) }
        if json {
            try console.print(jsonLine(UpdateRecord(report, changes)))
        } else if report.outcome == .updated {
            try console.print(line(report, changes))
        }
        if let problem = report.problem {
            let place = abbreviated(report.source ?? report.stored.identity.description)
            console.problem("\(place): \(clause(problem.detail))".escaped)
        }
    }

    func finish(_ summary: UpdateSummary) throws {
        console.hideProgress()
        for host in summary.hostsLeft {
            console.problem("\(host.escaped): it is not asked again in this run")
        }
        if json { try console.print(jsonLine(UpdateSummaryRecord(summary))) }
        if console.errors.isTerminal { console.note(summaryLine(summary)) }
    }

    /// `updated  Boarding pass  Example Air, LIS -> OPO  pass.com.example/123 - Your gate is now 7`.
    private func line(_ report: UpdateReport, _ changes: ToldChanges?) -> String {
        var columns = ["updated"]
        if let new = report.new?.pass {
            columns.append(padded(styleInWords(new.style), to: 13))
            columns.append(clipped(reader.headline(new).escaped, to: 80))
        }
        columns.append(report.stored.identity.description.escaped)
        let line = columns.joined(separator: "  ")
        let told = changes?.line ?? ""
        return told.isEmpty ? line : "\(line) - \(told)"
    }
}

/// `412 passes asked about, 3 updated, 1 refused by its issuer, 2 failed`.
func summaryLine(_ summary: UpdateSummary) -> String {
    var parts = [
        "\(counted(summary.asked, "pass", "passes")) asked about",
        "\(grouped(summary.updated)) updated",
    ]
    let rest = [
        (summary.refused, "answered with what was refused"), (summary.declined, "declined"),
        (summary.failed, "failed"), (summary.notAsked, "not asked about"),
        (summary.insecure, "only by http (--allow-http)"),
    ]
    for (count, words) in rest where count > 0 { parts.append("\(grouped(count)) \(words)") }
    return parts.joined(separator: ", ")
}
