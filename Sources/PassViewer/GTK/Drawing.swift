internal import CGTK

/// A widget drawn by a closure, which gets a `cairo_t`.
final class Drawing: Widget {
    typealias Body = @MainActor @Sendable (OpaquePointer, Room) -> Void

    /// The size of the widget, in points.
    struct Room {
        let width: Double
        let height: Double
        /// Pixels per point.
        let scaleFactor: Double
    }

    init(_ body: @escaping Body) {
        unsafe super.init(made(gtk_drawing_area_get_type(), GTK_ACCESSIBLE_ROLE_IMG))
        let painter = unsafe Painter(body)
        unsafe gtk_drawing_area_set_draw_func(
            cast(),
            { area, context, width, height, box in
                guard let context = unsafe context, let box = unsafe box else { return }
                let widget = unsafe UnsafeMutableRawPointer(area)?.assumingMemoryBound(
                    to: GtkWidget.self)
                let room = Room(
                    width: Double(width), height: Double(height),
                    scaleFactor: Double(unsafe gtk_widget_get_scale_factor(widget)))
                let painter = unsafe Unmanaged<Painter>.fromOpaque(box).takeUnretainedValue()
                // GTK draws on the main thread only.
                nonisolated(unsafe) let canvas = unsafe context
                MainActor.assumeIsolated { unsafe painter.body(canvas, room) }
            }, Unmanaged.passRetained(painter).toOpaque(), { unsafe release($0) })
    }

    /// The current size.
    var room: Room {
        unsafe Room(
            width: Double(gtk_widget_get_width(pointer)),
            height: Double(gtk_widget_get_height(pointer)),
            scaleFactor: Double(gtk_widget_get_scale_factor(pointer)))
    }

    func setContentSize(width: Double, height: Double) {
        unsafe gtk_drawing_area_set_content_width(cast(), Int32(width.rounded(.up)))
        unsafe gtk_drawing_area_set_content_height(cast(), Int32(height.rounded(.up)))
    }

    func onClick(_ body: @escaping @MainActor @Sendable () -> Void) {
        let gesture: OpaquePointer = unsafe gtk_gesture_click_new()
        unsafe connect(UnsafeMutableRawPointer(gesture), "released", body)
        unsafe gtk_widget_add_controller(pointer, gesture)
    }
}

@safe
private final class Painter: Sendable {
    let body: Drawing.Body

    init(_ body: @escaping Drawing.Body) {
        unsafe self.body = body
    }
}
