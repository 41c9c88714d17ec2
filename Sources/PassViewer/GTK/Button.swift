internal import CGTK

/// Something to press.
final class Button: Widget {
    private let label: Mnemonic?

    /// - Parameter title: A letter behind an underscore presses it too, with Alt.
    init(_ title: String) {
        self.title = title
        let label = Mnemonic(title)
        self.label = label
        // A button that makes its own label reads it out with the underscore.
        unsafe super.init(gtk_button_new())
        unsafe gtk_button_set_child(cast(), label.pointer)
        unsafe gtk_label_set_mnemonic_widget(label.opaque, pointer)
        classed("text-button")
    }

    /// A symbol in place of words, which are for those who do not know it.
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

/// A text with an underscore before the letter of its shortcut.
private final class Mnemonic: Widget {
    init(_ text: String) { unsafe super.init(gtk_label_new_with_mnemonic(text)) }

    func show(_ text: String) { unsafe gtk_label_set_text_with_mnemonic(opaque, text) }
}
