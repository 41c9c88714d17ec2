internal import CGTK
internal import Localization
internal import PassCommands
internal import PassModel
internal import PassStore

/// The passes of the library: a list of them, and the one that is looked at, beside it where there is room.
@MainActor
final class LibraryWindow {
    let window: Window
    let session: WindowSession
    let application: Application
    private let backButton = Button(icon: "go-previous-symbolic", localized("Back to the list"))
    let search = SearchEntry(localized("Search passes"))
    private(set) var list: PassList?
    private let side = Box(GTK_ORIENTATION_VERTICAL, spacing: 0)
    private let details = Stack()
    private let notice = Label().centred()
    let bars = BarStack()
    private(set) var removals: Removals?
    let copies: Copies
    private var feed: Task<Void, Never>?
    private(set) var shelf = Shelf()
    private let searching = LibrarySearch()
    private(set) var detail: DetailPane?
    /// Which pass is, or will be, shown.
    private(set) var shownID: StoredPass.ID?
    private var wanted: PassIdentity?
    private(set) var isNarrow = false
    private var width = 900.0

    /// In points: below that, the list and a pass do not stand side by side.
    static let narrow = 720.0

    init(_ application: Application, _ session: WindowSession) {
        self.application = application
        self.session = session
        copies = Copies(session)
        window = unsafe Window(application.pointer, title: localized("Passes"))
        layOut()
        addShortcuts()
        begin()
    }

    private func layOut() {
        window.setSize(width: 900, height: 700)
        window.addToHeader(backButton)
        backButton.isVisible = false
        backButton.on("clicked") { [weak self] in self?.goBack() }
        let list = PassList { [weak self] row in
            switch row {
            case .heading(let section): return RowContent(section)
            case .pass(let id):
                guard let self, let pass = shelf.passes[id] else { return RowContent(.other) }
                return RowContent(pass, self.session.reader)
            }
        } onSelect: { [weak self] in
            if let self, !isNarrow { open(self.list?.selected) }
        } onActivate: { [weak self] in
            self?.open(self?.list?.selected)
        }
        self.list = list
        search.margin(6)
        side.append(search)
        side.append(notice.margin(12))
        side.append(list.widget)
        side.append(bars.widget)
        details.expanding(horizontally: true, vertically: true)
        details.replaceAll(with: emptyDetail)
        window.setContent(Paned(side, details, position: 300))
        search.takesKeys(of: window)
        search.on("search-changed") { [weak self] in self?.searchChanged() }
        search.addShortcut("Down") { [weak self] in self?.list?.focus() != nil }
        search.on("activate") { [weak self] in self?.openFirst() }
        search.on("stop-search") { [weak self] in self?.escape() }
        window.acceptFiles { [weak self] files in self?.application.open(files) }
        window.onClose { [weak self] in self?.closed() }
        window.onWidth { [weak self] width in self?.fit(Double(width)) }
        fit(width)
    }

    private var emptyDetail: Widget {
        Label(localized("Choose a pass.")).centred().classed("dim-label")
            .aligned(horizontally: GTK_ALIGN_CENTER, vertically: GTK_ALIGN_CENTER)
    }

    private func begin() {
        let removals = Removals(session, application) { [weak self] in
            self?.showRows()
            self?.showUndo()
        } failed: { [weak self] problem in
            self?.bars.show(problem: problem)
        }
        self.removals = removals
        let feed = LibraryFeed(session) { [weak self] shelf in self?.take(shelf) }
        self.feed = Task.detached { await feed.run() }
        notice.text = localized("Reading…")
    }

    func present() {
        window.present()
        list?.focus()
    }

    /// Shows a pass as soon as the list has it.
    func select(_ identity: PassIdentity) {
        wanted = identity
        selectWanted()
    }

    private func take(_ new: Shelf) {
        let old = shelf
        shelf = new
        removals?.check(new)
        bars.show(problem: new.problem, for: "library")
        let changed = Set(
            new.passes.values.filter { pass in
                old.passes[pass.id].map { $0 != pass } ?? false
            }.map(\.id))
        if searching.found != nil { searchChanged() }
        showRows(changed: changed)
        if let shownID, let pass = new.passes[shownID], changed.contains(shownID) { load(pass) }
        if let shownID, new.isWhole, new.passes[shownID] == nil { close() }
        selectWanted()
    }

    private func selectWanted() {
        guard let identity = wanted,
            let pass = shelf.passes.values.first(where: { $0.identity == identity })
        else { return }
        wanted = nil
        list?.select(pass.id)
        open(pass.id)
    }

    private func showRows(changed: Set<StoredPass.ID> = []) {
        let hidden = removals?.hidden ?? []
        let rows = searching.found.map { ids in
            ids.filter { shelf.passes[$0] != nil }.map { ListRow.pass($0) }
        }
        let shown = ListRow.rows(rows ?? shelf.rows, without: hidden)
        list?.show(shown, changed: changed)
        notice.isVisible = shown.isEmpty
        notice.text =
            searching.found != nil
            ? localized("No pass says that.")
            : shelf.isWhole
                ? localized("There are no passes yet. Drop pass files here.")
                : localized("Reading…")
        if let shownID, hidden.contains(shownID) { close() }
    }

    private func searchChanged() {
        searching.search(search.text, in: session) { [weak self] in self?.showRows() }
    }

    private func openFirst() {
        guard let first = list?.rows.first(where: { if case .pass = $0 { true } else { false } }),
            case .pass(let id) = first
        else { return }
        list?.select(id)
        open(id)
        list?.focus()
    }

    func open(_ id: StoredPass.ID?) {
        guard let id, let pass = shelf.passes[id] else { return }
        guard shownID != id || isNarrow else { return }
        shownID = id
        // What is done from now on is not done to the one that was seen before.
        detail = nil
        load(pass)
    }

    private func load(_ pass: StoredPass) {
        let session = session
        inBackground {
            Result { try StoredDetail(pass, in: session) }
        } then: { [weak self] result in
            guard let self, shownID == pass.id else { return }
            switch result {
            case .success(let detail): show(detail)
            case .failure(let error):
                details.replaceAll(with: emptyDetail)
                fit(width)
                bars.show(problem: "\(error)".escaped)
            }
        }
    }

    private func show(_ detail: StoredDetail) {
        let pane = DetailPane(detail, session.reader) { [weak self] in self?.showBarcode() }
        pane.exportButton.on("clicked") { [weak self] in self?.export() }
        pane.mailButton.on("clicked") { [weak self] in self?.mail() }
        pane.removeButton.on("clicked") { [weak self] in self?.remove() }
        pane.face.offerFile { [weak self] in try? self?.copies.path(of: detail) }
        self.detail = pane
        details.replaceAll(with: pane.widget)
        fit(width)
        if isNarrow { backButton.focus() }
    }

    private func close() {
        shownID = nil
        detail = nil
        details.replaceAll(with: emptyDetail)
        fit(width)
    }

    private func goBack() {
        list?.select(nil)
        close()
        list?.focus()
    }

    func escape() {
        if isNarrow, detail != nil {
            goBack()
        } else if !search.text.isEmpty {
            search.text = ""
            list?.focus()
        } else {
            list?.focus()
        }
    }

    /// One beside the other, or one of them.
    private func fit(_ width: Double) {
        self.width = width
        isNarrow = width < LibraryWindow.narrow
        side.isVisible = !isNarrow || detail == nil
        details.isVisible = !isNarrow || detail != nil
        backButton.isVisible = isNarrow && detail != nil
        list?.activatesOnClick(isNarrow)
        detail?.fit(width: isNarrow ? width : width - 300)
    }

    func showBarcode() {
        guard let pass = detail?.detail.pass else { return }
        application.showBarcode(of: pass, session.reader, above: window)
    }

    private func closed() {
        feed?.cancel()
        removals?.finishAll()
        copies.remove()
        application.forget(self)
    }
}
