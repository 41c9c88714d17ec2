internal import CGTK

/// Widgets in a row or a column.
final class Box: Widget {
    /// Keeps the children alive as long as the box.
    private var children: [Widget] = []

    init(_ orientation: GtkOrientation, spacing: Int32 = 6, _ children: [Widget] = []) {
        unsafe super.init(gtk_box_new(orientation, spacing))
        for child in children { append(child) }
    }

    /// - Parameter role: The accessible role, which GTK accepts only at construction.
    init(_ orientation: GtkOrientation, spacing: Int32 = 6, role: GtkAccessibleRole) {
        unsafe super.init(made(gtk_box_get_type(), role))
        unsafe gtk_orientable_set_orientation(opaque, orientation)
        unsafe gtk_box_set_spacing(cast(), spacing)
    }

    func append(_ child: Widget) {
        children.append(child)
        unsafe gtk_box_append(cast(), child.pointer)
    }

    func remove(_ child: Widget) {
        guard let index = children.firstIndex(where: { $0 === child }) else { return }
        children.remove(at: index)
        unsafe gtk_box_remove(cast(), child.pointer)
    }
}

/// Scrolls vertically. Its content may be wider than the window, which does not grow with it.
final class Scroller: Widget {
    private let child: Widget

    /// - Parameter isAsHigh: Whether it is as high as its content if there is room.
    init(_ child: Widget, isAsHigh: Bool = false) {
        self.child = child
        unsafe super.init(gtk_scrolled_window_new())
        unsafe gtk_scrolled_window_set_propagate_natural_height(opaque, isAsHigh ? 1 : 0)
        unsafe gtk_scrolled_window_set_child(opaque, child.pointer)
        unsafe gtk_scrolled_window_set_policy(opaque, GTK_POLICY_EXTERNAL, GTK_POLICY_AUTOMATIC)
    }

    private var place: UnsafeMutablePointer<GtkAdjustment> {
        unsafe gtk_scrolled_window_get_vadjustment(opaque)
    }

    private var awaited: Double?
    private var isWaiting = false

    /// The vertical scroll position, in points.
    var position: Double { unsafe gtk_adjustment_get_value(place) }

    /// Scrolls to a position as soon as the content is high enough.
    func scroll(to position: Double) {
        awaited = position
        reach()
        guard !isWaiting else { return }
        isWaiting = true
        unsafe connect(UnsafeMutableRawPointer(place), "changed") { [weak self] in
            onMain { [weak self] in self?.reach() }
        }
    }

    private func reach() {
        guard let position = awaited else { return }
        let last = unsafe gtk_adjustment_get_upper(place) - gtk_adjustment_get_page_size(place)
        guard last >= position else { return }
        awaited = nil
        unsafe gtk_adjustment_set_value(place, position)
    }
}

/// A widget that is hidden until the user expands it.
final class Expander: Widget {
    private let child: Widget

    init(_ title: String, _ child: Widget) {
        self.child = child
        unsafe super.init(gtk_expander_new(title))
        unsafe gtk_expander_set_child(opaque, child.pointer)
        setSpokenText(title)
    }

    var isExpanded: Bool {
        get { unsafe gtk_expander_get_expanded(opaque) != 0 }
        set { unsafe gtk_expander_set_expanded(opaque, newValue ? 1 : 0) }
    }
}

/// Several widgets, one of which is visible.
final class Stack: Widget {
    private var children: [Widget] = []

    init() {
        unsafe super.init(gtk_stack_new())
        unsafe gtk_stack_set_transition_type(opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        // Otherwise all pages would be as high as the highest.
        unsafe gtk_stack_set_vhomogeneous(opaque, 0)
        unsafe gtk_stack_set_hhomogeneous(opaque, 0)
    }

    func add(_ child: Widget) {
        children.append(child)
        _ = unsafe gtk_stack_add_child(opaque, child.pointer)
    }

    func remove(_ child: Widget) {
        children.removeAll { $0 === child }
        unsafe gtk_stack_remove(opaque, child.pointer)
    }

    func show(_ child: Widget) { unsafe gtk_stack_set_visible_child(opaque, child.pointer) }

    func replaceAll(with child: Widget) {
        let old = children
        children = []
        add(child)
        show(child)
        for child in old { unsafe gtk_stack_remove(opaque, child.pointer) }
    }
}

/// Two widgets side by side, separated by a movable border. The window can be made narrower than
/// both.
final class Paned: Widget {
    private let children: [Widget]

    init(_ start: Widget, _ end: Widget, position: Int32) {
        children = [start, end]
        unsafe super.init(gtk_paned_new(GTK_ORIENTATION_HORIZONTAL))
        unsafe gtk_paned_set_start_child(opaque, start.pointer)
        unsafe gtk_paned_set_end_child(opaque, end.pointer)
        unsafe gtk_paned_set_resize_start_child(opaque, 0)
        unsafe gtk_paned_set_position(opaque, position)
    }

    var position: Int32 { unsafe gtk_paned_get_position(opaque) }

    /// Calls `body` when the border moves.
    func onMove(_ body: @escaping @MainActor @Sendable () -> Void) {
        on("notify::position", body)
    }
}
