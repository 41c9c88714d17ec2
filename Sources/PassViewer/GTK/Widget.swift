internal import CGTK
internal import PassPresentation

/// Owns a reference to a GTK widget.
@MainActor
@safe
class Widget {
    let pointer: UnsafeMutablePointer<GtkWidget>

    init(_ made: UnsafeMutablePointer<GtkWidget>) {
        unsafe pointer = made
        unsafe g_object_ref_sink(made)
    }

    isolated deinit { unsafe g_object_unref(pointer) }

    /// The pointer cast to a C type that some functions require.
    func cast<Kind>() -> UnsafeMutablePointer<Kind> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Kind.self)
    }

    /// For C types that are opaque in Swift.
    var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

    var isVisible: Bool {
        get { unsafe gtk_widget_get_visible(pointer) != 0 }
        set { unsafe gtk_widget_set_visible(pointer, newValue ? 1 : 0) }
    }

    var isSensitive: Bool {
        get { unsafe gtk_widget_get_sensitive(pointer) != 0 }
        set { unsafe gtk_widget_set_sensitive(pointer, newValue ? 1 : 0) }
    }

    var tooltip: String = "" {
        didSet { unsafe gtk_widget_set_tooltip_text(pointer, tooltip) }
    }

    func focus() { _ = unsafe gtk_widget_grab_focus(pointer) }

    /// Whether the widget or one of its descendants has the keyboard focus.
    var hasFocusWithin: Bool { unsafe PassViewer.hasFocusWithin(pointer) }

    /// Whether the widget has the pointer or the keyboard focus.
    var isAttended: Bool {
        let state = unsafe gtk_widget_get_state_flags(pointer).rawValue
        return hasFocusWithin || state & GTK_STATE_FLAG_PRELIGHT.rawValue != 0
    }

    func on(_ signal: String, _ body: @escaping @MainActor @Sendable () -> Void) {
        unsafe connect(pointer, signal, body)
    }

    /// Sets the accessible name, which screen readers read aloud.
    func setSpokenText(_ text: String) { unsafe setLabel(text, of: pointer) }
}

func hasFocusWithin(_ widget: UnsafeMutablePointer<GtkWidget>?) -> Bool {
    guard let widget = unsafe widget else { return false }
    let state = unsafe gtk_widget_get_state_flags(widget).rawValue
    return state & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
}

/// Sets the accessible name of a widget.
func setLabel(_ text: String, of widget: UnsafeMutablePointer<GtkWidget>) {
    var property = GTK_ACCESSIBLE_PROPERTY_LABEL
    var value = GValue()
    // `G_TYPE_STRING`, a macro.
    unsafe g_value_init(&value, GType(16 << 2))
    unsafe g_value_set_string(&value, text)
    unsafe gtk_accessible_update_property_value(OpaquePointer(widget), 1, &property, &value)
    unsafe g_value_unset(&value)
}

extension Widget {
    @discardableResult
    func classed(_ names: String...) -> Self {
        for name in names { unsafe gtk_widget_add_css_class(pointer, name) }
        return self
    }

    /// Expands the widget to the available room.
    @discardableResult
    func expanding(horizontally: Bool = false, vertically: Bool = false) -> Self {
        unsafe gtk_widget_set_hexpand(pointer, horizontally ? 1 : 0)
        unsafe gtk_widget_set_vexpand(pointer, vertically ? 1 : 0)
        return self
    }

    @discardableResult
    func aligned(horizontally: GtkAlign? = nil, vertically: GtkAlign? = nil) -> Self {
        if let horizontally { unsafe gtk_widget_set_halign(pointer, horizontally) }
        if let vertically { unsafe gtk_widget_set_valign(pointer, vertically) }
        return self
    }

    @discardableResult
    func margin(_ points: Int32) -> Self {
        unsafe gtk_widget_set_margin_top(pointer, points)
        unsafe gtk_widget_set_margin_bottom(pointer, points)
        unsafe gtk_widget_set_margin_start(pointer, points)
        unsafe gtk_widget_set_margin_end(pointer, points)
        return self
    }

    /// The window that contains the widget.
    var root: UnsafeMutablePointer<GtkWindow>? {
        guard let root = unsafe gtk_widget_get_root(pointer) else { return nil }
        return unsafe UnsafeMutablePointer<GtkWindow>(root)
    }

    /// Adds a shortcut in GTK's syntax, such as `<Control>f`.
    ///
    /// - Parameter isFirst: Whether the shortcut takes precedence over the focused widget.
    func addShortcut(
        _ keys: String, isFirst: Bool = false,
        _ body: @escaping @MainActor @Sendable () -> Bool
    ) {
        let listener = unsafe Listener { _ in body() }
        let action = unsafe gtk_callback_action_new(
            { _, _, box in unsafe Listener.call(box) ? 1 : 0 }, listener.held,
            { unsafe release($0) })
        let shortcut = unsafe gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys), action)
        let controller: OpaquePointer = unsafe gtk_shortcut_controller_new()
        unsafe gtk_shortcut_controller_add_shortcut(controller, shortcut)
        if isFirst {
            unsafe gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        }
        unsafe gtk_widget_add_controller(pointer, controller)
    }
}

/// Creates a widget with an accessible role, which GTK accepts only at construction.
func made(_ type: GType, _ role: GtkAccessibleRole) -> UnsafeMutablePointer<GtkWidget> {
    var value = GValue()
    unsafe g_value_init(&value, gtk_accessible_role_get_type())
    unsafe g_value_set_enum(&value, CInt(bitPattern: role.rawValue))
    defer { unsafe g_value_unset(&value) }
    return unsafe "accessible-role".withCString { name in
        var name: UnsafePointer<CChar>? = unsafe name
        let object: UnsafeMutablePointer<GObject> = unsafe g_object_new_with_properties(
            type, 1, &name, &value)
        return unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self)
    }
}
