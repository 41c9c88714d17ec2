internal import CGTK
internal import PassPresentation

/// Plain text, never markup, shortened to the limits below.
final class Label: Widget {
    /// In Unicode scalars; longer text ends in an ellipsis. A label always lays out its whole text.
    nonisolated static let longest = 5000
    /// In Unicode scalars. GTK repeatedly tries every break position in a word; longer words get a
    /// break inserted.
    nonisolated static let longestWord = 300
    /// In Unicode scalars: the Stream-Safe Text Format (UAX 15, 13) allows 30 marks on a letter.
    nonisolated static let longestCharacter = 31

    init(_ text: String = "", isSelectable: Bool = false) {
        unsafe super.init(gtk_label_new(shortened(text)))
        unsafe gtk_label_set_wrap(opaque, 1)
        unsafe gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
        unsafe gtk_label_set_xalign(opaque, 0)
        unsafe gtk_label_set_selectable(opaque, isSelectable ? 1 : 0)
        // A hyphen at a break would look like part of the word.
        let attributes = unsafe pango_attr_list_new()
        unsafe pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        unsafe gtk_label_set_attributes(opaque, attributes)
        unsafe pango_attr_list_unref(attributes)
    }

    var text: String = "" {
        didSet { unsafe gtk_label_set_text(opaque, shortened(text)) }
    }

    /// Centres the lines; the default is left-aligned.
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

    /// - Parameter count: For text without line breaks: GTK applies the limit to each paragraph.
    func inLines(atMost count: Int32) -> Self {
        unsafe gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
        unsafe gtk_label_set_lines(opaque, count)
        return self
    }

    /// Sets the preferred maximum width, in characters.
    func width(atMost characters: Int32) -> Self {
        unsafe gtk_label_set_max_width_chars(opaque, characters)
        return self
    }
}

/// An icon of the theme.
final class Icon: Widget {
    init(_ name: String, size: Int32 = 16) {
        unsafe super.init(gtk_image_new_from_icon_name(name))
        unsafe gtk_image_set_pixel_size(opaque, size)
        // Hidden from assistive technology: the text beside it says the same.
        var state = GTK_ACCESSIBLE_STATE_HIDDEN
        var value = GValue()
        // `G_TYPE_BOOLEAN`, a macro.
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
