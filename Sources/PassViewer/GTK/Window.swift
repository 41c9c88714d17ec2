internal import CGTK

/// A window with a header bar.
class Window: Widget {
    private let header = HeaderBar()

    init(_ application: UnsafeMutablePointer<GtkApplication>, title: String) {
        self.title = title
        unsafe super.init(gtk_application_window_new(application))
        unsafe gtk_window_set_titlebar(cast(), header.pointer)
        unsafe gtk_window_set_title(cast(), title)
    }

    var title: String {
        didSet { unsafe gtk_window_set_title(cast(), title) }
    }

    func setContent(_ widget: Widget) { unsafe gtk_window_set_child(cast(), widget.pointer) }

    func setSize(width: Int32, height: Int32) {
        unsafe gtk_window_set_default_size(cast(), width, height)
    }

    func addToHeader(_ widget: Widget, atEnd: Bool = false) {
        header.add(widget, atEnd: atEnd)
    }

    /// Hides the close button of the header bar, for windows with a button of their own that closes
    /// them.
    func hidesWindowButtons() { header.hidesWindowButtons() }

    /// Size of the first monitor, in points.
    var screenSize: (width: Int32, height: Int32) {
        let monitors = unsafe gdk_display_get_monitors(gtk_widget_get_display(pointer))
        guard let monitor = unsafe g_list_model_get_item(monitors, 0) else { return (360, 640) }
        defer { unsafe g_object_unref(monitor) }
        var place = GdkRectangle()
        unsafe gdk_monitor_get_geometry(OpaquePointer(monitor), &place)
        return (place.width, place.height)
    }

    func present() { unsafe gtk_window_present(cast()) }

    func close() { unsafe gtk_window_close(cast()) }

    /// Calls `body` before the window closes. GTK destroys it once no reference is left.
    func onClose(_ body: @escaping @MainActor @Sendable () -> Void) {
        unsafe connectAnswering(pointer, "close-request") {
            body()
            return false
        }
    }

    /// Sets the widget that Enter activates, wherever the focus is.
    func setDefault(_ widget: Widget?) {
        unsafe gtk_window_set_default_widget(cast(), widget?.pointer)
    }

    /// Calls `body` when the width changes.
    func onWidth(_ body: @escaping @MainActor @Sendable (Int32) -> Void) {
        on("realize") { [weak self] in
            guard let self, let surface = unsafe gtk_native_get_surface(opaque) else { return }
            unsafe connect(UnsafeMutableRawPointer(surface), "layout") { [weak self] in
                // Widgets must not change visibility during layout.
                onMain { [weak self] in
                    guard let self, let surface = unsafe gtk_native_get_surface(opaque) else {
                        return
                    }
                    // The surface includes the shadow; the widget may be wider than the window.
                    let widths = unsafe (
                        gtk_widget_get_width(pointer), gdk_surface_get_width(surface)
                    )
                    body(min(widths.0, widths.1))
                }
            }
        }
    }
}

private final class HeaderBar: Widget {
    private var children: [Widget] = []

    init() { unsafe super.init(gtk_header_bar_new()) }

    func add(_ widget: Widget, atEnd: Bool) {
        children.append(widget)
        if atEnd {
            unsafe gtk_header_bar_pack_end(opaque, widget.pointer)
        } else {
            unsafe gtk_header_bar_pack_start(opaque, widget.pointer)
        }
    }

    func hidesWindowButtons() { unsafe gtk_header_bar_set_show_title_buttons(opaque, 0) }
}
