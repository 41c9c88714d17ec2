internal import CGTK

/// Widgets in a row or a column.
final class Box: Widget {
    /// What is in it lives as long as it does.
    private var children: [Widget] = []

    init(_ orientation: GtkOrientation, spacing: Int32 = 6, _ children: [Widget] = []) {
        unsafe super.init(gtk_box_new(orientation, spacing))
        for child in children { append(child) }
    }

    /// - Parameter role: What it is to those who do not see it. That can be said only when it is made.
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

/// What is higher than the room for it. What is wider does not make a window wider.
final class Scroller: Widget {
    private let child: Widget

    init(_ child: Widget) {
        self.child = child
        unsafe super.init(gtk_scrolled_window_new())
        unsafe gtk_scrolled_window_set_child(opaque, child.pointer)
        unsafe gtk_scrolled_window_set_policy(opaque, GTK_POLICY_EXTERNAL, GTK_POLICY_AUTOMATIC)
    }

    private var place: UnsafeMutablePointer<GtkAdjustment> {
        unsafe gtk_scrolled_window_get_vadjustment(opaque)
    }

    private var awaited: Double?
    private var isWaiting = false

    /// How far it is scrolled down, in points.
    var position: Double { unsafe gtk_adjustment_get_value(place) }

    /// Scrolls there once there is so much to scroll.
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

/// What is seen only on request.
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

/// Several widgets of which one is seen.
final class Stack: Widget {
    private var children: [Widget] = []

    init() {
        unsafe super.init(gtk_stack_new())
        unsafe gtk_stack_set_transition_type(opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        // The largest would decide for all.
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

/// Two widgets side by side, with a border that can be moved. Neither keeps a window from being narrow.
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

    /// Is told when the border is moved.
    func onMove(_ body: @escaping @MainActor @Sendable () -> Void) {
        on("notify::position", body)
    }
}
