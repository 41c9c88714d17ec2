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
        let pointsPerMillimetre: Double
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
                    scaleFactor: Double(unsafe gtk_widget_get_scale_factor(widget)),
                    pointsPerMillimetre: unsafe density(of: widget))
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
            scaleFactor: Double(gtk_widget_get_scale_factor(pointer)),
            pointsPerMillimetre: density(of: pointer))
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

/// Points per millimetre of the monitor that shows a widget. Monitors that report no size, or an
/// impossible one, count as having 96 points per inch.
private func density(of widget: UnsafeMutablePointer<GtkWidget>?) -> Double {
    let usual = 96 / 25.4
    guard let native = unsafe gtk_widget_get_native(widget),
        let surface = unsafe gtk_native_get_surface(native),
        let monitor = unsafe gdk_display_get_monitor_at_surface(
            gtk_widget_get_display(widget), surface)
    else { return usual }
    var place = GdkRectangle()
    unsafe gdk_monitor_get_geometry(monitor, &place)
    let width = unsafe gdk_monitor_get_width_mm(monitor)
    guard width > 0, place.width > 0 else { return usual }
    let density = Double(place.width) / Double(width)
    // From a projector or television (25 points per inch) to a phone (250 per inch).
    return (1...10).contains(density) ? density : usual
}

@safe
private final class Painter: Sendable {
    let body: Drawing.Body

    init(_ body: @escaping Drawing.Body) {
        unsafe self.body = body
    }
}
