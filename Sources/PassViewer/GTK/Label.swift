internal import CGTK

/// A text. It is never markup, and as long as a label can be.
final class Label: Widget {
    /// In Unicode scalars: what is longer ends in an ellipsis. A label lays out its whole text.
    nonisolated static let longest = 5000
    /// The same of a word: where one can be broken GTK tries at every place.
    nonisolated static let longestWord = 300

    init(_ text: String = "", isSelectable: Bool = false) {
        unsafe super.init(gtk_label_new(shortened(text)))
        unsafe gtk_label_set_wrap(opaque, 1)
        unsafe gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
        unsafe gtk_label_set_xalign(opaque, 0)
        unsafe gtk_label_set_selectable(opaque, isSelectable ? 1 : 0)
    }

    var text: String = "" {
        didSet { unsafe gtk_label_set_text(opaque, shortened(text)) }
    }

    /// Lines begin at the left, or are centred.
    func centred() -> Self {
        unsafe gtk_label_set_xalign(opaque, 0.5)
        unsafe gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER)
        return self
    }

    func inOneLine() -> Self {
        unsafe gtk_label_set_wrap(opaque, 0)
        unsafe gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
        return self
    }

    /// How wide it would like to be at most, in characters.
    func width(atMost characters: Int32) -> Self {
        unsafe gtk_label_set_max_width_chars(opaque, characters)
        return self
    }
}

/// A symbol of the theme, by its name.
final class Icon: Widget {
    init(_ name: String, size: Int32 = 16) {
        unsafe super.init(gtk_image_new_from_icon_name(name))
        unsafe gtk_image_set_pixel_size(opaque, size)
        // What it says stands beside it.
        var state = GTK_ACCESSIBLE_STATE_HIDDEN
        var value = GValue()
        // G_TYPE_BOOLEAN, a macro.
        unsafe g_value_init(&value, GType(5 << 2))
        unsafe g_value_set_boolean(&value, 1)
        unsafe gtk_accessible_update_state_value(opaque, 1, &state, &value)
    }

    var name: String = "" {
        didSet { unsafe gtk_image_set_from_icon_name(opaque, name) }
    }
}

private func shortened(_ text: String) -> String {
    var (count, word) = (0, 0)
    let scalars = text.unicodeScalars
    for index in scalars.indices {
        count += 1
        word = scalars[index].properties.isWhitespace ? 0 : word + 1
        guard count <= Label.longest, word <= Label.longestWord else {
            return String(scalars[..<index]) + "\u{2026}"
        }
    }
    return text
}
