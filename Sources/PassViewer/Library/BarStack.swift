internal import CGTK
internal import Localization

/// Messages at the bottom of the window: news with a button, and problems that stay until they are closed. Each
/// has an accessible role.
@MainActor
final class BarStack {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 6).margin(6)
    private var bars: [Bar] = []
    /// Whether the window is closed.
    private(set) var isClosed = false

    private struct Bar {
        let name: String
        let text: String
        let widget: Widget
    }

    init() { widget.isVisible = false }

    func close() { isClosed = true }

    func show(
        _ text: String, for name: String, button: String? = nil,
        action: (@MainActor @Sendable () -> Void)? = nil
    ) {
        guard !isShown(text, for: name) else { return }
        // Screen readers announce an alert at once, while the action can still be undone.
        let bar = Box(
            GTK_ORIENTATION_HORIZONTAL, spacing: 8,
            role: button == nil ? GTK_ACCESSIBLE_ROLE_STATUS : GTK_ACCESSIBLE_ROLE_ALERT)
        bar.append(Label(text).expanding(horizontally: true))
        bar.classed("undo")
        if let button, let action {
            let button = Button(button)
            button.on("clicked", action)
            bar.append(button)
        } else {
            bar.append(closing(name))
        }
        put(bar, text, for: name)
    }

    /// - Parameters:
    ///   - problem: Nil to hide the message.
    ///   - remedy: A button that solves the problem.
    func show(problem: String?, for name: String = "problem", remedy: Button? = nil) {
        guard let problem else { return hide(name) }
        guard !isShown(problem, for: name) else { return }
        let bar = Box(
            GTK_ORIENTATION_HORIZONTAL, spacing: 8, role: GTK_ACCESSIBLE_ROLE_ALERT)
        bar.append(ProblemBar(problem).widget.expanding(horizontally: true))
        if let remedy { bar.append(remedy.aligned(vertically: GTK_ALIGN_START)) }
        bar.append(closing(name))
        put(bar, problem, for: name)
    }

    func hide(_ name: String) {
        guard let index = bars.firstIndex(where: { $0.name == name }) else { return }
        widget.remove(bars[index].widget)
        bars.remove(at: index)
        widget.isVisible = !bars.isEmpty
    }

    /// Whether a message has the pointer or the keyboard focus.
    func isAttended(_ name: String) -> Bool {
        bars.first { $0.name == name }?.widget.isAttended ?? false
    }

    private func isShown(_ text: String, for name: String) -> Bool {
        bars.contains { $0.name == name && $0.text == text }
    }

    private func put(_ bar: Box, _ text: String, for name: String) {
        hide(name)
        bar.setSpokenText(text)
        bars.append(Bar(name: name, text: text, widget: bar))
        widget.append(bar)
        widget.isVisible = true
    }

    private func closing(_ name: String) -> Button {
        let button = Button(icon: "window-close-symbolic", localized("Close"))
        button.on("clicked") { [weak self] in self?.hide(name) }
        return button.aligned(vertically: GTK_ALIGN_START)
    }
}
