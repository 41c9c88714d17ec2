internal import CGTK

/// Styles that the theme lacks. Colours are mixed with those of the theme, so that they suit light
/// and dark.
@MainActor
enum StyleSheet {
    static func apply() {
        guard let display = unsafe gdk_display_get_default() else { return }
        let provider = unsafe gtk_css_provider_new()
        unsafe gtk_css_provider_load_from_data(provider, css, -1)
        unsafe gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        unsafe g_object_unref(provider)
    }

    private static let css = """
        .verdict { padding: 10px 12px; border-radius: 8px; }
        .verdict-trusted { background: alpha(#26a269, 0.18); }
        .verdict-trusted > box > image { color: #26a269; }
        .verdict-doubtful { background: alpha(#e5a50a, 0.25); }
        .verdict-refused { background: alpha(#e01b24, 0.2); }
        .verdict-refused > box > image { color: #e01b24; }
        .pass-back { padding: 12px; border-radius: 12px; background: alpha(currentColor, 0.06); }
        .pass-settings {
            padding: 10px 12px; border-radius: 12px; background: alpha(currentColor, 0.06);
        }
        .changes { padding: 8px 12px; border-radius: 8px; background: alpha(currentColor, 0.06); }
        .section { font-weight: bold; opacity: 0.65; padding: 12px 6px 4px 6px; }
        .pass-row { padding: 6px; }
        .pass-row .caption { opacity: 0.7; }
        .bright { background: white; color: black; }
        .bright label { color: black; }
        .undo { padding: 6px 12px; background: alpha(currentColor, 0.1); }
        """
}
