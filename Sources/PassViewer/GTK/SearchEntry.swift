internal import CGTK

/// Where words are typed that are searched for.
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

    /// What is typed in the window, wherever the focus is, comes here.
    func takesKeys(of window: Window) {
        unsafe gtk_search_entry_set_key_capture_widget(opaque, window.pointer)
        // Only some keys are taken from where the focus is: a space would press what has it.
        on("search-started") { [weak self] in
            guard let self, let text = unsafe gtk_editable_get_delegate(opaque) else { return }
            _ = unsafe gtk_text_grab_focus_without_selecting(
                UnsafeMutableRawPointer(text).assumingMemoryBound(to: GtkText.self))
        }
    }
}

private func setText(of object: UnsafeMutableRawPointer, _ name: String, _ text: String) {
    var value = GValue()
    // G_TYPE_STRING, a macro.
    unsafe g_value_init(&value, GType(16 << 2))
    unsafe g_value_set_string(&value, text)
    unsafe g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    unsafe g_value_unset(&value)
}
