internal import CGTK
internal import Localization
internal import PassStore

/// The list of the passes, whose rows exist only as far as they are seen.
@MainActor
@safe
final class PassList {
    let widget: Scroller
    private let view: ListView
    private let strings: OpaquePointer
    private let selection: OpaquePointer
    private(set) var rows: [ListRow] = []
    private let content: (ListRow) -> RowContent
    /// Nothing is told of what the program itself selects.
    private var isChanging = false

    init(
        content: @escaping @MainActor (ListRow) -> RowContent,
        onSelect: @escaping @MainActor @Sendable () -> Void,
        onActivate: @escaping @MainActor @Sendable () -> Void
    ) {
        self.content = content
        unsafe strings = gtk_string_list_new(nil)
        unsafe selection = gtk_single_selection_new(strings)
        unsafe gtk_single_selection_set_autoselect(selection, 0)
        unsafe gtk_single_selection_set_can_unselect(selection, 1)
        view = unsafe ListView(selection)
        widget = Scroller(view).expanding(horizontally: true, vertically: true)
        bindRows()
        unsafe connect(UnsafeMutableRawPointer(selection), "notify::selected") { [weak self] in
            guard let self, !isChanging else { return }
            onSelect()
        }
        view.on("activate", onActivate)
    }

    private func bindRows() {
        let factory = unsafe view.factory
        unsafe connectWithArgument(factory, "setup") { item in
            guard let item = unsafe item else { return false }
            unsafe gtk_list_item_set_child(OpaquePointer(item), RowWidget.make())
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
            unsafe RowWidget.fill(gtk_list_item_get_child(row), with: content(rows[position]))
            return true
        }
    }

    var selected: StoredPass.ID? {
        let position = Int(unsafe gtk_single_selection_get_selected(selection))
        guard rows.indices.contains(position), case .pass(let id) = rows[position] else {
            return nil
        }
        return id
    }

    func select(_ id: StoredPass.ID?) {
        isChanging = true
        defer { isChanging = false }
        let position = id.flatMap { rows.firstIndex(of: .pass($0)) }
        unsafe gtk_single_selection_set_selected(
            selection, position.map { guint($0) } ?? guint.max)
    }

    /// Shows other rows: only those are touched that are different, so that the list stays where it is.
    ///
    /// - Parameter changed: Passes that say something else than before.
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
        let selected = selected
        rows = new
        isChanging = true
        splice(at: start, removing: old.count - start - end, new[start..<new.count - end])
        isChanging = false
        select(selected)
    }

    private func splice(at start: Int, removing count: Int, _ added: ArraySlice<ListRow>) {
        guard count > 0 || !added.isEmpty else { return }
        var copies = unsafe added.map { unsafe UnsafePointer(g_strdup($0.key)) }
        unsafe copies.append(nil)
        unsafe gtk_string_list_splice(strings, guint(start), guint(count), copies)
        while let copy = unsafe copies.popLast() {
            unsafe g_free(UnsafeMutablePointer(mutating: copy))
        }
    }

    /// With a single click on a phone, where nothing is selected without being opened.
    func activatesOnClick(_ isSingle: Bool) {
        unsafe gtk_list_view_set_single_click_activate(view.opaque, isSingle ? 1 : 0)
    }

    func focus() { view.focus() }
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
