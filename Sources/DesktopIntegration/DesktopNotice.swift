internal import Localization
internal import PassImport
package import PassPresentation
package import PassSession
internal import PassVerification

/// A notification about opened passes, passed as lines from the process that read them to the one
/// that shows it.
package struct DesktopNotice {
    /// Number of passes.
    package let count: Int
    /// Never contains text of the pass, so that a pass cannot imitate the program.
    package let title: String
    /// How to continue if no window opens; empty if there is nothing to do.
    package var advice: String
    /// The passes, in escaped lines.
    package let body: [String]
    package let code: ExitCode

    package var lines: [String] { ["\(count)", title, advice] + body }

    /// Parses the output of another process.
    package init(lines: [String], _ code: ExitCode) {
        count = lines.first.flatMap { Int($0) } ?? 0
        title = lines.dropFirst().first ?? localized("No pass could be read")
        advice = lines.dropFirst(2).first ?? ""
        body = lines.dropFirst(3).filter { !$0.isEmpty }
        self.code = code
    }

    package init(of opened: OpenedPasses, _ displayLocale: DisplayLocale, command: String?) {
        count = opened.passes.count
        title = DesktopNotice.title(of: opened)
        advice =
            command.map {
                localized("To add it, in a terminal: {command}", ["command": $0])
            } ?? ""
        let passes = opened.passes.prefix(4).map { found in
            let verification = found.verification
            let name = verification.pass.map(displayLocale.headline) ?? localized("a file")
            let reason = verification.reasons.first.map { " (\($0.phrase.localized))" } ?? ""
            return "\(verification.verdict.phrase.localized): \(name)\(reason)".escaped
        }
        let more = opened.passes.count - 4
        let rest = more > 0 ? [localized("and {count} more", ["count": "\(more)"])] : []
        body = passes + rest + opened.problems.prefix(4)
        code = opened.code
    }

    /// Shows the notification.
    package func show(with problems: [String], advising: Bool, in environment: Environment) {
        let ending = advising && !advice.isEmpty ? [advice] : []
        DesktopNotification(title: title, lines: body + problems.prefix(4) + ending)
            .show(in: environment)
    }

    private static func title(of opened: OpenedPasses) -> String {
        guard let only = opened.passes.first else {
            return localized("No pass could be read")
        }
        if opened.passes.count > 1 {
            return counted("{count} pass", "{count} passes", opened.passes.count)
        }
        return switch only.verification.verdict {
        case .trusted: localized("A trusted pass")
        case .untrusted: localized("A pass that is not trusted")
        case .unsigned: localized("A pass that is not signed")
        case .tampered: localized("A pass that was tampered with")
        case .malformed: localized("Not a pass")
        }
    }
}
