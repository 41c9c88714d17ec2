internal import PassPresentation
package import PassSession

/// A few words on the desktop about passes that were opened.
package struct DesktopNotification {
    let title: String
    /// Lines of plain text, which may hold a stranger's.
    let lines: [String]

    package init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }

    /// Shows it, where there is something that does.
    ///
    /// - Parameter patience: How long to wait at most until that is done.
    package func show(in environment: Environment, waiting patience: Duration = .zero) {
        guard var program = OtherProgram("notify-send", in: environment) else { return }
        let body = lines.map { marked(clipped($0.escaped, to: 300)) }.joined(separator: "\n")
        // The title is no markup and ours alone. notify-send reads escapes of C in the body.
        let words = [
            "--app-name=passconduit", "--icon=org.passconduit.Passconduit", "--", title,
            body.replacing("\\", with: "\\\\"),
        ]
        program.arguments = words.map { Array($0.utf8) }
        guard let process = try? program.start(), patience > .zero else { return }
        OtherProgram.wait(for: process, atMost: patience)
    }
}

/// As text in the markup of notifications (Desktop Notifications Specification, "Markup").
private func marked(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        .replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
}
