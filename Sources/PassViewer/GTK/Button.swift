internal import CGTK

final class Button: Widget {
    private let label: Mnemonic?

    /// - Parameter title: The letter after an underscore is the shortcut, with Alt.
    init(_ title: String) {
        self.title = title
        let label = Mnemonic(title)
        self.label = label
        // The label that GTK makes would include the underscore in the accessible name.
        unsafe super.init(gtk_button_new())
        unsafe gtk_button_set_child(cast(), label.pointer)
        label.lead(to: self)
        classed("text-button")
    }

    /// A button with an icon; its title is the tooltip and the accessible name.
    init(icon: String, _ title: String) {
        self.title = title
        label = nil
        unsafe super.init(gtk_button_new_from_icon_name(icon))
        tooltip = title
        setSpokenText(title)
    }

    var title: String {
        didSet { label?.show(title) }
    }
}
