internal import CGTK
internal import PassPresentation

/// A text. It is never markup, and as long as a label can be.
final class Label: Widget {
    /// In Unicode scalars: what is longer ends in an ellipsis. A label lays out its whole text.
    nonisolated static let longest = 5000
    /// The same of a word: GTK tries all places where one can be broken, again and again. A longer one gets a
    /// place where it is broken.
    nonisolated static let longestWord = 300
    /// Of a character: Unicode's Stream-Safe Text Format (UAX 15, 13) allows 30 marks on a letter.
    nonisolated static let longestCharacter = 31

    init(_ text: String = "", isSelectable: Bool = false) {
        unsafe super.init(gtk_label_new(shortened(text)))
        unsafe gtk_label_set_wrap(opaque, 1)
        unsafe gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
        unsafe gtk_label_set_xalign(opaque, 0)
        unsafe gtk_label_set_selectable(opaque, isSelectable ? 1 : 0)
        // Where a long word is broken a hyphen would seem to be part of it.
        let attributes = unsafe pango_attr_list_new()
        unsafe pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        unsafe gtk_label_set_attributes(opaque, attributes)
        unsafe pango_attr_list_unref(attributes)
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

    /// - Parameter count: For a text without line ends: each of its lines would have as many.
    func inLines(atMost count: Int32) -> Self {
        unsafe gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
        unsafe gtk_label_set_lines(opaque, count)
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
    let (scalars, zeroWidthSpace) = (text.unicodeScalars, "\u{200B}")
    let end = scalars.index(
        scalars.startIndex, offsetBy: Label.longest, limitedBy: scalars.endIndex)
    var (shown, word) = ("", 0)
    for character in text[..<(end ?? scalars.endIndex)] {
        let scalars = character.unicodeScalars.prefix(Label.longestCharacter)
        word = character.isWhitespace ? 0 : word + scalars.count
        if word > Label.longestWord {
            shown += zeroWidthSpace
            word = scalars.count
        }
        shown.unicodeScalars.append(contentsOf: scalars)
    }
    return end.map { $0 < scalars.endIndex } == true ? shown + "\u{2026}" : shown
}
