internal import CGTK

/// A label with an underscore before the letter of its shortcut.
final class Mnemonic: Widget {
    init(_ text: String) { unsafe super.init(gtk_label_new_with_mnemonic(text)) }

    /// A label beside a widget. GTK makes it the accessible name of the widget.
    convenience init(_ text: String, of widget: Widget) {
        self.init(text)
        unsafe gtk_label_set_wrap(opaque, 1)
        unsafe gtk_label_set_xalign(opaque, 0)
        lead(to: widget)
    }

    /// Makes the shortcut activate a widget.
    func lead(to widget: Widget) {
        unsafe gtk_label_set_mnemonic_widget(opaque, widget.pointer)
    }

    func show(_ text: String) { unsafe gtk_label_set_text_with_mnemonic(opaque, text) }
}
