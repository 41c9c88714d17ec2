internal import CGTK
internal import Localization
internal import PassStore

/// The list of passes, with multiple selection. GTK makes widgets for visible rows only.
@MainActor
@safe
final class PassList {
    let widget: Scroller
    private let view: ListView
    private let strings: OpaquePointer
    private let selection: OpaquePointer
    private(set) var rows: [ListRow] = []
    private let actions: Actions
    /// Suppresses `onSelect` while the program changes the selection.
    private var isChanging = false
    /// The list items that have widgets.
    private var bound: Set<ListItem> = []
    /// What the last key in the list does: whether it moves up, and whether it extends the selection.
    private var lastKey = (isUp: false, extends: false)

    struct Actions {
        let content: @MainActor (ListRow) -> RowContent
        let onSelect: @MainActor @Sendable () -> Void
        /// Called for Enter and for a double click.
        let onActivate: @MainActor @Sendable (StoredPass.ID) -> Void
        /// Called for a single click.
        let onClick: @MainActor @Sendable (StoredPass.ID) -> Void
        /// Returns the paths of copies when passes are dragged elsewhere.
        let files: @MainActor @Sendable ([StoredPass.ID]) -> [String]
    }

    init(_ actions: Actions) {
        self.actions = actions
        unsafe strings = gtk_string_list_new(nil)
        unsafe selection = gtk_multi_selection_new(strings)
        view = unsafe ListView(selection)
        widget = Scroller(view).expanding(horizontally: true, vertically: true)
        bindRows()
        watchKeys()
        unsafe connect(UnsafeMutableRawPointer(selection), "selection-changed") { [weak self] in
            guard let self, !isChanging else { return }
            leaveHeadings()
            self.actions.onSelect()
        }
        unsafe connectWithArgument(view.pointer, "activate") { [weak self] position in
            // GTK passes the position as a number, not as a pointer.
            let number = UInt32(truncatingIfNeeded: UInt(bitPattern: position))
            guard let self, let id = pass(at: Int(number)) else { return false }
            self.actions.onActivate(id)
            return true
        }
    }

    private func bindRows() {
        let factory = unsafe view.factory
        unsafe connectWithArgument(factory, "setup") { [weak self] item in
            guard let item = unsafe item else { return false }
            // The closures are called only while the row exists.
            nonisolated(unsafe) let row = OpaquePointer(item)
            let place = { @MainActor @Sendable () -> StoredPass.ID? in
                self?.pass(at: Int(unsafe gtk_list_item_get_position(row)))
            }
            let widget = RowWidget.make()
            unsafe gtk_list_item_set_child(row, widget?.pointer)
            let listItem = unsafe ListItem(row)
            widget?.onFocus { onMain { self?.leaveHeading(listItem) } }
            widget?.onPlainClick { place().map { self?.actions.onClick($0) } }
            widget?.offerFiles {
                guard let self, let id = place() else { return [] }
                let chosen = self.selected
                return self.actions.files(chosen.contains(id) ? chosen : [id])
            }
            return true
        }
        unsafe connectWithArgument(factory, "bind") { [weak self] item in
            guard let self, let item = unsafe item else { return false }
            let row = OpaquePointer(item)
            let position = Int(unsafe gtk_list_item_get_position(row))
            guard rows.indices.contains(position) else { return false }
            let isPass: Bool
            if case .pass = rows[position] { isPass = true } else { isPass = false }
            unsafe gtk_list_item_set_selectable(row, isPass ? 1 : 0)
            unsafe gtk_list_item_set_activatable(row, isPass ? 1 : 0)
            unsafe RowWidget.fill(
                gtk_list_item_get_child(row), with: actions.content(rows[position]))
            bound.insert(unsafe ListItem(row))
            return true
        }
        unsafe connectWithArgument(factory, "unbind") { [weak self] item in
            if let self, let item = unsafe item {
                bound.remove(unsafe ListItem(OpaquePointer(item)))
            }
            return true
        }
    }

    private func watchKeys() {
        let controller: OpaquePointer = unsafe gtk_event_controller_key_new()
        nonisolated(unsafe) let keys = unsafe controller
        unsafe gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        unsafe connectAnswering(UnsafeMutableRawPointer(controller), "key-pressed") { [weak self] in
            let event = unsafe gtk_event_controller_get_current_event(keys)
            let key = CInt(bitPattern: unsafe gdk_key_event_get_keyval(event))
            let state = unsafe gtk_event_controller_get_current_event_state(keys).rawValue
            let isUp = [GDK_KEY_Up, GDK_KEY_KP_Up, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up].contains(
                key)
            let isDown = [
                GDK_KEY_Down, GDK_KEY_KP_Down, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down,
            ].contains(key)
            let extends = (isUp || isDown) && state & GDK_SHIFT_MASK.rawValue != 0
            self?.lastKey = (isUp, extends)
            return false
        }
        unsafe gtk_widget_add_controller(view.pointer, controller)
    }

    /// Moves the focus from a heading to the next pass in the direction of the last key, or to the
    /// first pass.
    private func leaveHeading(_ item: ListItem) {
        guard bound.contains(item), item.hasFocus, rows.indices.contains(item.position),
            case .heading = rows[item.position]
        else { return }
        let position = item.position
        let next = rows.indices.filter { $0 > position && pass(at: $0) != nil }.first
        let previous = rows.indices.last { $0 < position && pass(at: $0) != nil }
        let target = lastKey.isUp ? previous ?? next : next ?? previous
        if let target { focus(at: target, extends: lastKey.extends) }
    }

    /// Selects the pass in a row and moves the focus there.
    ///
    /// - Parameter extends: Whether the passes up to there are selected as well.
    private func focus(at position: Int, extends: Bool = false) {
        var parameters = unsafe [
            g_variant_new_uint32(guint(position)), g_variant_new_boolean(0),
            g_variant_new_boolean(extends ? 1 : 0),
        ]
        let tuple = unsafe g_variant_ref_sink(g_variant_new_tuple(&parameters, 3))
        defer { unsafe g_variant_unref(tuple) }
        // GTK makes a widget for the row that was selected last, also outside the visible part.
        _ = unsafe gtk_widget_activate_action_variant(view.pointer, "list.select-item", tuple)
        scroll(to: position)
        bound.first { $0.position == position }?.focus()
    }

    /// The position of the row that has the focus; nil if none.
    private var focused: Int? { bound.first(where: \.hasFocus)?.position }

    /// Unselects headings, which keyboard selection and "select all" include.
    private func leaveHeadings() {
        isChanging = true
        defer { isChanging = false }
        for (position, row) in rows.enumerated() {
            guard case .heading = row else { continue }
            _ = unsafe gtk_selection_model_unselect_item(selection, guint(position))
        }
    }

    private func pass(at position: Int) -> StoredPass.ID? {
        guard rows.indices.contains(position), case .pass(let id) = rows[position] else {
            return nil
        }
        return id
    }

    /// The selected passes, in the order of the list.
    var selected: [StoredPass.ID] {
        guard let set = unsafe gtk_selection_model_get_selection(selection) else { return [] }
        defer { unsafe gtk_bitset_unref(set) }
        var iterator = GtkBitsetIter()
        var position: guint = 0
        var ids: [StoredPass.ID] = []
        var isThere = unsafe gtk_bitset_iter_init_first(&iterator, set, &position)
        while isThere != 0 {
            if let id = pass(at: Int(position)) { ids.append(id) }
            isThere = unsafe gtk_bitset_iter_next(&iterator, &position)
        }
        return ids
    }

    func selectAll() { _ = unsafe gtk_selection_model_select_all(selection) }

    func select(_ ids: [StoredPass.ID]) {
        isChanging = true
        defer { isChanging = false }
        let wanted = Set(ids)
        let chosen = unsafe gtk_bitset_new_empty()
        let all = unsafe gtk_bitset_new_range(0, guint(rows.count))
        defer {
            unsafe gtk_bitset_unref(chosen)
            unsafe gtk_bitset_unref(all)
        }
        for (position, row) in rows.enumerated() where !wanted.isEmpty {
            guard case .pass(let id) = row, wanted.contains(id) else { continue }
            _ = unsafe gtk_bitset_add(chosen, guint(position))
        }
        _ = unsafe gtk_selection_model_set_selection(selection, chosen, all)
    }

    /// Scrolls until the row of a pass is visible.
    func scroll(to id: StoredPass.ID) {
        if let position = rows.firstIndex(of: .pass(id)) { scroll(to: position) }
    }

    private func scroll(to position: Int) {
        let number = unsafe g_variant_ref_sink(g_variant_new_uint32(guint(position)))
        _ = unsafe gtk_widget_activate_action_variant(view.pointer, "list.scroll-to-item", number)
        unsafe g_variant_unref(number)
    }

    /// Replaces the rows. Rows that stay the same are not touched, so that the scroll position is
    /// kept.
    ///
    /// - Parameter changed: Passes whose content changed.
    func show(_ new: [ListRow], changed: Set<StoredPass.ID> = []) {
        let old = rows
        func isSame(_ left: ListRow, _ right: ListRow) -> Bool {
            if case .pass(let id) = right, changed.contains(id) { return false }
            return left == right
        }
        var start = 0
        while start < old.count, start < new.count, isSame(old[start], new[start]) { start += 1 }
        var end = 0
        while end < old.count - start, end < new.count - start,
            isSame(old[old.count - 1 - end], new[new.count - 1 - end])
        { end += 1 }
        guard start + end < max(old.count, new.count) else { return }
        let (selected, hadFocus) = (selected, view.hasFocusWithin)
        rows = new
        isChanging = true
        splice(at: start, removing: old.count - start - end, new[start..<new.count - end])
        isChanging = false
        select(selected)
        // GTK moves the focus to a neighbour of a removed row, so that Delete would remove another
        // pass than the focused one.
        if hadFocus { focusSelected() }
    }

    private func splice(at start: Int, removing count: Int, _ added: ArraySlice<ListRow>) {
        var copies = unsafe added.map { unsafe UnsafePointer(g_strdup($0.key)) }
        unsafe copies.append(nil)
        unsafe gtk_string_list_splice(strings, guint(start), guint(count), copies)
        while let copy = unsafe copies.popLast() {
            unsafe g_free(UnsafeMutablePointer(mutating: copy))
        }
    }

    /// Moves the focus to a selected pass, unless it is on one.
    ///
    /// - Returns: Whether a pass is selected.
    @discardableResult
    func focusSelected() -> Bool {
        let selected = Set(selected)
        guard let first = rows.indices.first(where: { isPass($0, in: selected) }) else {
            return false
        }
        if let focused, isPass(focused, in: selected) { return true }
        isChanging = true
        defer { isChanging = false }
        focus(at: first)
        select(Array(selected))
        return true
    }

    private func isPass(_ position: Int, in ids: Set<StoredPass.ID>) -> Bool {
        pass(at: position).map(ids.contains) ?? false
    }

    /// Moves the focus to the selected pass, or else selects the first one.
    func enter() {
        guard !focusSelected(), let first = rows.indices.first(where: { pass(at: $0) != nil })
        else { return }
        focus(at: first)
    }
}

/// A row that has a widget. It is valid until GTK unbinds it.
@MainActor
@safe
private struct ListItem: @MainActor Hashable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    var position: Int { Int(unsafe gtk_list_item_get_position(pointer)) }
    var hasFocus: Bool { unsafe hasFocusWithin(row) }

    func focus() { _ = unsafe row.map { unsafe gtk_widget_grab_focus($0) } }

    private var row: UnsafeMutablePointer<GtkWidget>? {
        guard let child = unsafe gtk_list_item_get_child(pointer) else { return nil }
        return unsafe gtk_widget_get_parent(child)
    }

    static func == (left: ListItem, right: ListItem) -> Bool {
        unsafe left.pointer == right.pointer
    }

    func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }
}

@safe
private final class ListView: Widget {
    let factory: UnsafeMutableRawPointer

    init(_ selection: OpaquePointer) {
        let factory: OpaquePointer = unsafe gtk_signal_list_item_factory_new()
        unsafe self.factory = UnsafeMutableRawPointer(factory)
        unsafe super.init(gtk_list_view_new(selection, factory))
        classed("navigation-sidebar")
        setSpokenText(localized("Passes"))
    }
}
