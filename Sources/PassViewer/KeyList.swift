internal import CGTK
internal import Localization

/// A window that lists the keyboard shortcuts.
@MainActor
final class KeyList {
    private let window: Window
    private let application: Application

    init(_ application: Application, above parent: Window) {
        self.application = application
        window = unsafe Window(application.pointer, title: localized("Keys"))
        let content = Box(GTK_ORIENTATION_VERTICAL, spacing: 8).margin(16)
        for key in ViewerKey.allCases { content.append(KeyList.row(key)) }
        window.setContent(Scroller(content))
        window.setSize(width: min(parent.screenSize.width, 440), height: 520)
        unsafe gtk_window_set_transient_for(window.cast(), parent.cast())
        unsafe gtk_window_set_modal(window.cast(), 1)
        for key in ["Escape", "F1", "<Control>question", "<Control>q", "<Control>w"] {
            window.addShortcut(key) { [weak window] in window?.close() != nil }
        }
        window.onClose { [weak self] in self.map { $0.application.forget($0) } }
    }

    private static func row(_ key: ViewerKey) -> Widget {
        let name = Label(key.name).classed("heading")
        let meaning = Label(key.meaning).expanding(horizontally: true)
        let row = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [name, meaning])
        row.setSpokenText("\(key.name): \(key.meaning)")
        return row
    }

    func present() { window.present() }
}
