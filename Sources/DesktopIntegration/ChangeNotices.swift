internal import Foundation
internal import Localization
internal import PassPresentation

/// Notices of another process as they are shown: so many of a run, and at its end how many more there
/// were. What that process says may be a stranger's who took it over.
package struct ChangeNotices {
    /// How many are shown by themselves.
    package static let most = 5
    /// Of one notice, in bytes: POSIX has a pipe take no less at once, and Linux just this.
    package static let longestLine = 4096

    private var shown = 0
    private var more = 0

    package init() {}

    /// What is to be shown for a line: a notice, or for an empty line, which ends a run, how many more
    /// there were. Nil for nothing.
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

    /// Says how many more there were, and begins anew.
    package mutating func finish() -> DesktopNotification? {
        defer { self = ChangeNotices() }
        guard more > 0 else { return nil }
        let title = counted("{count} more pass changed", "{count} more passes changed", more)
        let command = "passconduit list --sort update"
        return DesktopNotification(
            title: title, lines: [localized("To see them: {command}", ["command": command])])
    }
}
