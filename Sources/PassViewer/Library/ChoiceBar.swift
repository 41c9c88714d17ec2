internal import CGTK
internal import Localization

/// Actions for several selected passes.
@MainActor
final class ChoiceBar {
    let widget: Box
    private let label = Label().expanding(horizontally: true)

    init(_ actions: DetailPane.Actions) {
        let export = Button(
            icon: "document-save-as-symbolic", localized("Export all into a folder… (Ctrl+S)"))
        export.on("clicked", actions.export)
        let mail = Button(icon: "mail-send-symbolic", localized("Send all by mail"))
        mail.on("clicked", actions.mail)
        let remove = Button(icon: "user-trash-symbolic", localized("Remove all (Delete)"))
        remove.on("clicked", actions.remove)
        widget = Box(
            GTK_ORIENTATION_HORIZONTAL, spacing: 6, [label, export, mail, remove])
        widget.margin(6)
        widget.isVisible = false
    }

    func show(count: Int) {
        label.text = localized("{count} passes selected", ["count": "\(count)"])
        widget.isVisible = count > 1
    }
}
