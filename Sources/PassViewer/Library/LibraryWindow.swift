internal import CGTK
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore

/// The window of the library: the list of passes and, where there is room, the selected pass beside
/// it.
@MainActor
final class LibraryWindow {
    /// In points. In narrower windows, the list and the pass replace each other.
    private static let narrow = 720.0

    private let window: Window
    private let session: WindowSession
    private let application: Application

    private let backButton = Button(icon: "go-previous-symbolic", localized("Back to the list"))
    private let side = Box(GTK_ORIENTATION_VERTICAL, spacing: 0)
    private let search = SearchEntry(localized("Search passes"))
    private let notice = Label().centred()
    /// GtkPaned measures its halves without their widths, so a label that wraps only in its half
    /// would be higher than measured.
    private lazy var noticeRoom = Scroller(notice.margin(12), isAsHigh: true)
    private let bars = BarStack()
    private lazy var list = PassList(listActions)
    private lazy var choice = ChoiceBar(paneActions)
    private lazy var shown = ShownPass(
        session,
        ShownPass.Actions(
            pane: paneActions,
            files: { [weak self] in self?.sharing.copy(of: $0) ?? [] },
            changed: { [weak self] in self?.fit() },
            opened: { [weak self] in if let self, isNarrow { backButton.focus() } }))
    private lazy var halves = Paned(side, shown.widget, position: 300)

    private let searching = LibrarySearch()
    private lazy var sharing = PassSharing(session, application, bars, above: window)
    private lazy var removals = Removals(
        session, application, bars, changed: { [weak self] in self?.showRows() },
        undo: { [weak self] in self?.undo() })
    private lazy var settings = PassSettings(
        session, application, bars, changed: { [weak self] in self?.shown.showSettings() })
    private var feed: Task<Void, Never>?
    private var snapshot = LibrarySnapshot()
    /// A pass to select once the list has it.
    private var wanted: PassIdentity?
    /// Scroll position of the list before the search.
    private var placeBefore = 0.0
    private var isNarrow = false
    private var width = 900.0

    init(_ application: Application, _ session: WindowSession) {
        self.application = application
        self.session = session
        window = unsafe Window(application.pointer, title: localized("Passes"))
        layOut()
        addShortcuts()
        let feed = LibraryFeed(session) { [weak self] snapshot in self?.take(snapshot) }
        self.feed = Task.detached { await feed.run() }
    }

    func present() {
        window.present()
        focusList()
    }

    /// Moves the focus to the selected pass; to the search entry if none is selected, so that no row
    /// looks selected.
    private func focusList() { if !list.focusSelected() { search.focus() } }

    /// Selects a pass as soon as the list has it.
    func select(_ identity: PassIdentity) {
        wanted = identity
        selectWanted()
    }

    /// Shows an escaped clause at the bottom.
    func show(problem: String) { bars.show(problem: problem) }

    private func layOut() {
        window.setSize(width: 900, height: 700)
        window.addToHeader(backButton)
        backButton.isVisible = false
        backButton.on("clicked") { [weak self] in self?.goBack() }
        notice.text = localized("Reading…")
        side.append(search.margin(6))
        side.append(noticeRoom)
        side.append(list.widget)
        side.append(choice.widget)
        halves.expanding(vertically: true)
        // Messages are below both panes, so that a narrow window shows them too.
        window.setContent(
            Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [halves, bars.widget]))
        // Widgets must not change visibility during layout.
        halves.onMove { onMain { [weak self] in self?.fit() } }
        listenToSearch()
        window.acceptFiles { [weak self] files in self?.application.open(files) }
        window.onClose { [weak self] in self?.closed() }
        window.onWidth { [weak self] width in
            self?.width = Double(width)
            self?.fit()
        }
        fit()
    }

    /// Shows list and pass side by side, or only one of them in a narrow window.
    private func fit() {
        isNarrow = width < LibraryWindow.narrow
        side.isVisible = !isNarrow || !shown.isOpen
        shown.widget.isVisible = !isNarrow || shown.isOpen
        backButton.isVisible = isNarrow && shown.isOpen
        shown.fit(width: isNarrow ? width : width - Double(halves.position))
    }

    private func closed() {
        bars.close()
        feed?.cancel()
        removals.finishAll()
        application.forget(self)
    }

    private func addShortcuts() {
        for key in ViewerKey.allCases {
            guard let keys = key.keys else { continue }
            // These take precedence: the border between list and pass also uses Escape, the search
            // entry Undo.
            window.addShortcut(keys, isFirst: key == .escape || key == .undo) { [weak self] in
                guard let self, key != .undo || !isTyping else { return false }
                press(key)
                return true
            }
        }
    }

    private var isTyping: Bool { search.hasFocusWithin && !search.text.isEmpty }

    private func press(_ key: ViewerKey) {
        switch key {
        // The focused widget handles these.
        case .enter, .choose, .chooseAll: break
        case .escape: escape()
        case .search: search.focus()
        case .barcode: showBarcode()
        case .turn: shown.turn()
        case .history: shown.turnHistory()
        case .export: export()
        case .mail: mail()
        case .remove: remove()
        case .undo: undo()
        case .help: application.showKeys(above: window)
        case .end: window.close()
        }
    }

    /// Goes back from an older version to the current one, from a pass to the list, from a search
    /// to all passes.
    private func escape() {
        if shown.version != nil, let id = shown.id {
            open(id)
        } else if isNarrow, shown.isOpen {
            goBack()
        } else {
            if !search.text.isEmpty { search.text = "" }
            focusList()
        }
    }

    private func goBack() {
        shown.close()
        focusList()
    }

    private func take(_ new: LibrarySnapshot) {
        let old = snapshot
        snapshot = new
        removals.check(new)
        if new.problem != old.problem { showProblem() }
        if new.replacements != old.replacements {
            list.select([])
            // It may be the same library, opened again or repaired.
            if !new.hasPass(of: old) {
                bars.show(localized("The library was replaced by another one."), for: "news")
            }
        }
        let changed = new.changed(since: old)
        if searching.found != nil { searchChanged() }
        showRows(changed: changed)
        refreshPass(changed, old)
        selectWanted()
    }

    private func showProblem() {
        let mend = snapshot.isDamaged ? Button(localized("_Mend the Library")) : nil
        mend?.on("clicked") { [weak self] in self?.mend() }
        bars.show(problem: snapshot.problem, for: "library", remedy: mend)
    }

    /// Mends the library in another process. The program does not exit before that process ends.
    private func mend() {
        bars.hide("library")
        bars.show(localized("Mending…"), for: "mending")
        application.hold()
        inBackground { [session] in
            Result { try session.mend() }
        } then: { [weak self, bars, application] result in
            bars.hide("mending")
            self?.showProblem()
            switch result {
            case .success(let problem):
                bars.show(problem: problem)
            case .failure(let error):
                let title = localized("The library could not be mended")
                application.report(error.phrase.localized.escaped, titled: title, in: bars)
            }
            application.release()
        }
    }

    /// Updates the shown pass after a change in the library.
    private func refreshPass(_ changed: Set<StoredPass.ID>, _ old: LibrarySnapshot) {
        guard let id = shown.id else { return }
        guard let pass = snapshot.passes[id], pass.identity == (old.passes[id] ?? pass).identity
        else {
            if snapshot.isWhole || snapshot.passes[id] != nil { shown.close() }
            return
        }
        shown.showSettings()
        guard changed.contains(id), snapshot.hasNews(of: id, since: old) else { return }
        let isOver = pass.current.expirationDate.map { $0 <= snapshot.moment } ?? false
        if isOver, old.places[id]?.section != .past {
            let name = pass.current.headline.shortenedName.escaped
            bars.show(localized("Expired just now: {name}", ["name": name]), for: "news")
        }
        shown.read(pass)
    }

    private var listActions: PassList.Actions {
        PassList.Actions(
            content: { [weak self] row in
                switch row {
                case .heading(let section): return RowContent(section)
                case .pass(let id):
                    guard let self, let pass = snapshot.passes[id] else {
                        return RowContent(.other)
                    }
                    return RowContent(
                        pass, isLost: snapshot.isLost(pass),
                        session.displayLocale.reading(at: snapshot.moment))
                }
            },
            onSelect: { [weak self] in self?.choose() },
            onActivate: { [weak self] in self?.open($0) },
            // In a narrow window, selecting a pass opens it.
            onClick: { [weak self] id in if let self, isNarrow { open(id) } },
            files: { [weak self] ids in
                guard let self else { return [] }
                return sharing.copies(of: ids.compactMap { self.snapshot.passes[$0] })
            })
    }

    private func showRows(changed: Set<StoredPass.ID> = []) {
        let hidden = removals.hidden
        let found = searching.found
        let rows = ListRow.rows(snapshot.rows) { id in
            !hidden.contains(id) && found?.contains(id) != false
        }
        list.show(rows, changed: changed)
        let count = list.selected.count
        choice.show(count: count)
        showNotice(rows.isEmpty)
        if let id = shown.id, hidden.contains(id) { shown.close() }
        if shown.isSeveral { if count == 0 { shown.close() } else { choose() } }
    }

    private func showNotice(_ isEmpty: Bool) {
        bars.show(problem: searching.problem, for: "search")
        noticeRoom.isVisible = isEmpty || searching.isFull
        if searching.isFull, !isEmpty {
            notice.text = localized(
                "Only the {count} best matches are shown.", ["count": "\(LibrarySearch.limit)"])
        } else if searching.found != nil {
            noticeRoom.isVisible = isEmpty && searching.problem == nil
            notice.text = localized("No pass matches.")
        } else if snapshot.isWhole {
            notice.text = localized("There are no passes yet. Drop pass files here.")
        } else if snapshot.problem != nil {
            noticeRoom.isVisible = false
        } else {
            notice.text = localized("Reading…")
        }
    }

    private func selectWanted() {
        guard let identity = wanted, let pass = snapshot.pass(identity) else { return }
        wanted = nil
        reveal([pass.id])
    }

    /// Selects passes, shows the first and scrolls to it.
    private func reveal(_ ids: [StoredPass.ID]) {
        list.select(ids)
        choice.show(count: ids.count)
        guard let first = ids.first else { return }
        if ids.count == 1 { open(first) } else if !isNarrow { shown.showSeveral(ids.count) }
        list.scroll(to: first)
    }

    private func choose() {
        let ids = list.selected
        choice.show(count: ids.count)
        guard !isNarrow else { return }
        if ids.count > 1 { shown.showSeveral(ids.count) } else { ids.first.map { open($0) } }
    }

    /// - Parameter version: An older version; nil for the current one.
    private func open(_ id: StoredPass.ID, version: StoredVersion? = nil) {
        if let pass = snapshot.passes[id] { shown.open(pass, version: version) }
    }

    private func listenToSearch() {
        search.takesKeys(of: window)
        search.on("search-changed") { [weak self] in self?.searchChanged() }
        search.addShortcut("Down") { [weak self] in self?.list.enter() != nil }
        // With an empty entry, the keys apply to the list.
        search.addShortcut("<Control>a", isFirst: true) { [weak self] in
            guard let self, search.text.isEmpty else { return false }
            list.enter()
            list.selectAll()
            return true
        }
        search.on("activate") { [weak self] in self?.openFirst() }
        search.on("stop-search") { [weak self] in self?.escape() }
    }

    private func searchChanged() {
        let isFirst = searching.found == nil
        searching.search(search.text, in: session) { [weak self] in
            guard let self else { return }
            if isFirst, searching.found != nil { placeBefore = list.widget.position }
            showRows()
            if !isFirst, searching.found == nil { comeBack() }
        }
    }

    /// After a search, scrolls to the shown pass or to the earlier position.
    private func comeBack() {
        if let id = shown.id, list.rows.contains(.pass(id)) {
            if list.selected.isEmpty { list.select([id]) }
            list.scroll(to: id)
        } else {
            list.widget.scroll(to: placeBefore)
        }
    }

    private func openFirst() {
        let passes = list.rows.lazy.compactMap { row -> StoredPass.ID? in
            if case .pass(let id) = row { id } else { nil }
        }
        guard let first = passes.first else { return }
        reveal([first])
        focusList()
    }

    private var paneActions: DetailPane.Actions {
        DetailPane.Actions(
            showBarcode: { [weak self] in self?.showBarcode() },
            export: { [weak self] in self?.export() }, mail: { [weak self] in self?.mail() },
            remove: { [weak self] in self?.remove() },
            showVersion: { [weak self] version in
                guard let self, let stored = shown.detail?.stored else { return }
                let isFront = version.sha256 == stored.current.sha256
                open(stored.id, version: isFront ? nil : version)
            },
            exportVersion: { [weak self] version in
                guard let self, let detail = shown.detail else { return }
                sharing.export(version, of: detail)
            },
            settings: SettingsPanel.Actions(
                state: { [settings, weak self] pass in
                    settings.state(of: pass, in: self?.snapshot ?? LibrarySnapshot())
                },
                set: { [settings] in settings.set($0, to: $1, of: $2) },
                update: { [settings] in settings.update($0) }))
    }

    /// The passes to share or remove: the selection if it has several, otherwise the shown pass.
    private var chosen: [StoredPass] {
        let ids = list.selected
        guard shown.isOpen, isNarrow || ids.count < 2 else {
            return ids.compactMap { snapshot.passes[$0] }
        }
        let seen = shown.detail?.stored ?? shown.id.flatMap { snapshot.passes[$0] }
        return seen.map { [$0] } ?? []
    }

    private func showBarcode() {
        guard let pass = shown.detail?.pass else { return }
        application.showBarcode(of: pass, session.displayLocale, above: window)
    }

    private func export() { sharing.export(chosen, shown.detail) }

    private func mail() { sharing.mail(chosen, shown.detail) }

    /// Hides the chosen passes; they are removed once undo is no longer offered.
    private func remove() {
        // An older version can only be removed together with its pass.
        if shown.detail?.isOld == true { return }
        removals.remove(chosen)
        // The focused widget may have been removed with the pass.
        if search.text.isEmpty { focusList() }
    }

    private func undo() {
        let passes = removals.undo()
        guard !passes.isEmpty else { return }
        reveal(passes.map(\.id).filter { snapshot.passes[$0] != nil })
        focusList()
    }
}
