internal import CGTK
internal import Localization

/// What is said below the list: news with a button, and problems until they are read.
@MainActor
final class BarStack {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 6).margin(6)
    private var bars: [(name: String, widget: Widget)] = []

    init() { widget.isVisible = false }

    func show(
        _ text: String, for name: String, button: String? = nil,
        action: (@MainActor @Sendable () -> Void)? = nil
    ) {
        let label = Label(text).expanding(horizontally: true)
        let bar = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, [label])
        bar.classed("undo")
        if let button, let action {
            let button = Button(button)
            button.on("clicked", action)
            bar.append(button)
        } else {
            bar.append(closing(name))
        }
        put(bar, for: name)
    }

    /// - Parameter problem: Nil when it is over.
    func show(problem: String?, for name: String = "problem") {
        guard let problem else { return hide(name) }
        let bar = ProblemBar(problem).widget
        bar.append(closing(name))
        put(bar, for: name)
    }

    func hide(_ name: String) {
        guard let index = bars.firstIndex(where: { $0.name == name }) else { return }
        widget.remove(bars[index].widget)
        bars.remove(at: index)
        widget.isVisible = !bars.isEmpty
    }

    private func put(_ bar: Widget, for name: String) {
        hide(name)
        bars.append((name, bar))
        widget.append(bar)
        widget.isVisible = true
    }

    private func closing(_ name: String) -> Button {
        let button = Button(icon: "window-close-symbolic", localized("Close"))
        button.on("clicked") { [weak self] in self?.hide(name) }
        return button.aligned(vertically: GTK_ALIGN_START)
    }
}
