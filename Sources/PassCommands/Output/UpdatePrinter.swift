internal import DesktopIntegration
internal import Foundation
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassUpdates
internal import PassVerification

/// Prints the results of `update` as they come.
struct UpdatePrinter {
    private let json: Bool
    private let console: Console
    private let displayLocale: DisplayLocale
    /// Shows notifications of changed passes.
    private let notifier: ChangeNotifier?

    /// Whether problems name the host instead of the URL.
    private let namesHosts: Bool

    init(json: Bool, notifier: ChangeNotifier?, namesHosts: Bool = false, _ shell: Shell) {
        self.json = json
        self.namesHosts = namesHosts
        self.notifier = notifier
        console = shell.console
        displayLocale = DisplayLocale(shell.environment, language: nil)
    }

    func tell(_ report: UpdateReport) throws {
        let changes = ToldChanges(by: report, displayLocale)
        if report.stored.showsNotifications, let notice = changes?.notice {
            notifier?.tell(notice)
        }
        if json {
            try console.print(jsonLine(UpdateRecord(report, changes), on: console.output))
        } else if report.outcome == .updated {
            try console.print(line(report, changes))
        }
        if let problem = report.problem {
            let source = report.source ?? report.stored.identity.description
            let host = namesHosts ? URL(string: source)?.host() : nil
            let place = abbreviated(host ?? source)
            console.problem("\(place): \(problem.phrase.localized)".escaped)
        }
    }

    func finish(_ summary: UpdateSummary) throws {
        console.hideProgress()
        for host in summary.hostsLeft {
            let reason = localized("not contacted again in this run")
            console.problem("\(host.escaped): \(reason)")
        }
        if json { try console.print(jsonLine(UpdateSummaryRecord(summary), on: console.output)) }
        if console.errors.isTerminal { console.note(summaryLine(summary)) }
    }

    /// `updated  Boarding pass  Example Air, LIS -> OPO  pass.com.example/123 - Your gate is now
    /// 7`.
    private func line(_ report: UpdateReport, _ changes: ToldChanges?) -> String {
        var columns = [localized("updated")]
        if let new = report.new?.pass {
            columns.append(styleInColumn(new.style))
            columns.append(clipped(displayLocale.headline(new).escaped, to: 80))
        }
        columns.append(report.stored.identity.description.escaped)
        let line = columns.joined(separator: "  ")
        var told = [changes?.line ?? ""].filter { !$0.isEmpty }
        if changes?.wasVoided == true { told.append(localized("voided")) }
        return told.isEmpty ? line : "\(line) - \(told.joined(separator: "; "))"
    }
}

/// `412 passes checked, 3 updated, 1 declined, 2 failed`.
func summaryLine(_ summary: UpdateSummary) -> String {
    let (refused, declined) = (summary.refused, summary.declined)
    let (failed, notAsked, insecure) = (summary.failed, summary.notAsked, summary.insecure)
    let rest = [
        (
            refused,
            counted(
                "{count} got an unusable answer",
                "{count} got an unusable answer",
                refused)
        ), (declined, counted("{count} declined", "{count} declined", declined)),
        (failed, counted("{count} failed", "{count} failed", failed)),
        (notAsked, counted("{count} not checked", "{count} not checked", notAsked)),
        (
            insecure,
            counted(
                "{count} needs --allow-http", "{count} need --allow-http",
                insecure)
        ),
    ]
    let parts = [
        counted("{count} pass checked", "{count} passes checked", summary.asked),
        counted("{count} updated", "{count} updated", summary.updated),
    ]
    return (parts + rest.filter { $0.0 > 0 }.map(\.1)).joined(separator: ", ")
}
