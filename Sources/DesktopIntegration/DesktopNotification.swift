internal import PassPresentation
package import PassSession
internal import Platform

/// A notification on the desktop.
package struct DesktopNotification {
    let title: String
    /// Plain text, possibly untrusted.
    let lines: [String]

    package init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }

    /// Shows the notification if notify-send is installed and the desktop shows notifications.
    ///
    /// - Parameter patience: Maximum time to wait until it is shown.
    /// - Returns: Whether it is shown, or may still be shown later.
    @discardableResult
    package func show(
        in environment: Environment, waiting patience: Duration = .zero
    ) -> Bool {
        guard var program = Program("notify-send", in: environment) else { return false }
        let body = lines.map { marked(clipped($0.escaped, to: 300)) }.joined(separator: "\n")
        // The title is plain text without untrusted parts. notify-send interprets C escapes in the
        // body.
        let words = [
            "--app-name=passconduit", "--icon=org.passconduit.Passconduit",
            "--hint=string:desktop-entry:org.passconduit.Passconduit", "--", title,
            body.replacing("\\", with: "\\\\"),
        ]
        program.arguments = words.map { Array($0.utf8) }
        guard let end = try? program.start().wait(until: .after(patience)) else { return false }
        return switch end {
        case .late, .ended(nil): true
        case .ended(let status?): status.code == 0
        }
    }
}

/// Escapes the text for the markup of the Desktop Notifications Specification.
private func marked(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        .replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
}
