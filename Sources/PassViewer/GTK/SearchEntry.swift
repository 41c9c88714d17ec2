internal import CGTK

final class SearchEntry: Widget {
    init(_ placeholder: String) {
        unsafe super.init(gtk_search_entry_new())
        unsafe setText(of: pointer, "placeholder-text", placeholder)
        setSpokenText(placeholder)
    }

    var text: String {
        get { unsafe String(cString: gtk_editable_get_text(opaque)) }
        set { unsafe gtk_editable_set_text(opaque, newValue) }
    }

    /// Receives what is typed anywhere in the window.
    func takesKeys(of window: Window) {
        unsafe gtk_search_entry_set_key_capture_widget(opaque, window.pointer)
        // GTK forwards only some keys here: a space, for example, activates the focused widget.
        on("search-started") { [weak self] in
            guard let self, let text = unsafe gtk_editable_get_delegate(opaque) else { return }
            _ = unsafe gtk_text_grab_focus_without_selecting(
                UnsafeMutableRawPointer(text).assumingMemoryBound(to: GtkText.self))
        }
    }
}

private func setText(of object: UnsafeMutableRawPointer, _ name: String, _ text: String) {
    var value = GValue()
    // `G_TYPE_STRING`, a macro.
    unsafe g_value_init(&value, GType(16 << 2))
    unsafe g_value_set_string(&value, text)
    unsafe g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    unsafe g_value_unset(&value)
}
