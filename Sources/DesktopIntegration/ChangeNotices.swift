internal import Foundation
internal import Localization
internal import PassPresentation

/// Limits the notifications that another process requests: shows the first few of a run, then the
/// number of the others. An attacker may have taken control of the other process.
package struct ChangeNotices {
    /// Maximum number of notifications shown per run.
    package static let most = 5
    /// Maximum size of a notice in bytes. It is Linux's PIPE_BUF, up to which writes to a pipe are
    /// atomic.
    package static let longestLine = 4096

    private var shown = 0
    private var more = 0

    package init() {}

    /// The notification for a line. An empty line ends a run and yields the number of notices not
    /// shown. Nil if there is nothing to show.
    package mutating func notification(for line: [UInt8]) -> DesktopNotification? {
        if line.isEmpty { return finish() }
        guard let notice = try? JSONDecoder().decode(ChangeNotice.self, from: Data(line)) else {
            return nil
        }
        guard shown < ChangeNotices.most else {
            more += 1
            return nil
        }
        shown += 1
        let lines = notice.body.split(separator: "\n").prefix(6).map(String.init)
        return DesktopNotification(title: clipped(notice.title.escaped, to: 100), lines: lines)
    }

    /// The number of notices not shown, if any; resets the count.
    package mutating func finish() -> DesktopNotification? {
        defer { self = ChangeNotices() }
        guard more > 0 else { return nil }
        let title = counted("{count} more pass changed", "{count} more passes changed", more)
        let command = "passconduit list --sort update"
        return DesktopNotification(
            title: title, lines: [localized("To show them: {command}", ["command": command])])
    }
}
