internal import CGTK
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore

/// The list: its rows, the selection and the search.
extension LibraryWindow {
    func makeList() -> PassList {
        PassList(
            PassList.Actions(
                content: { [weak self] row in
                    switch row {
                    case .heading(let section): return RowContent(section)
                    case .pass(let id):
                        guard let self, let pass = snapshot.passes[id] else {
                            return RowContent(.other)
                        }
                        return RowContent(pass, session.displayLocale.reading(at: snapshot.moment))
                    }
                },
                onSelect: { [weak self] in self?.choose() },
                onActivate: { [weak self] in self?.open($0) },
                // In a narrow window, selecting a pass opens it.
                onClick: { [weak self] id in if let self, isNarrow { open(id) } },
                files: { [weak self] in self?.copies(of: $0) ?? [] }))
    }

    func listenToSearch() {
        search.takesKeys(of: window)
        search.on("search-changed") { [weak self] in self?.searchChanged() }
        search.addShortcut("Down") { [weak self] in self?.list?.focus() != nil }
        search.on("activate") { [weak self] in self?.openFirst() }
        search.on("stop-search") { [weak self] in self?.escape() }
    }

    /// Selects a pass as soon as the list has it.
    func select(_ identity: PassIdentity) {
        wanted = identity
        selectWanted()
    }

    func take(_ new: LibrarySnapshot) {
        let old = snapshot
        snapshot = new
        checkRemovals(new)
        if new.problem != old.problem { bars.show(problem: new.problem, for: "library") }
        if new.replacements != old.replacements {
            list?.select([])
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

    /// Updates the shown pass after a change in the library.
    private func refreshPass(_ changed: Set<StoredPass.ID>, _ old: LibrarySnapshot) {
        guard let id = shown.id else { return }
        guard let pass = snapshot.passes[id], pass.identity == (old.passes[id] ?? pass).identity
        else {
            if snapshot.isWhole || snapshot.passes[id] != nil { close() }
            return
        }
        guard changed.contains(id) else { return }
        let isOver = pass.current.expirationDate.map { $0 <= snapshot.moment } ?? false
        if isOver, old.places[id]?.section != .past {
            let name = pass.current.headline.shortenedName.escaped
            bars.show(localized("Expired just now: {name}", ["name": name]), for: "news")
        }
        read(pass)
    }

    private func selectWanted() {
        guard let identity = wanted, let pass = snapshot.pass(identity) else { return }
        wanted = nil
        reveal([pass.id])
    }

    /// Selects passes, shows the first and scrolls to it.
    func reveal(_ ids: [StoredPass.ID]) {
        list?.select(ids)
        choice.show(count: ids.count)
        guard let first = ids.first else { return }
        if ids.count == 1 { open(first) } else if !isNarrow { showSeveral(ids.count) }
        list?.scroll(to: first)
    }

    func showRows(changed: Set<StoredPass.ID> = []) {
        let hidden = removals?.hidden ?? []
        let found = searching.found
        let rows = ListRow.rows(snapshot.rows) { id in
            !hidden.contains(id) && found?.contains(id) != false
        }
        list?.show(rows, changed: changed)
        choice.show(count: list?.selected.count ?? 0)
        showNotice(rows.isEmpty)
        if let id = shown.id, hidden.contains(id) { close() }
        if shown.isSeveral {
            if list?.selected.isEmpty == true { close() } else { choose() }
        }
    }

    private func showNotice(_ isEmpty: Bool) {
        bars.show(problem: searching.problem, for: "search")
        notice.isVisible = isEmpty || searching.isFull
        if searching.isFull, !isEmpty {
            notice.text = localized(
                "Only the {count} best matches are shown.", ["count": "\(LibrarySearch.limit)"])
        } else if searching.found != nil {
            notice.isVisible = isEmpty && searching.problem == nil
            notice.text = localized("No pass matches.")
        } else if snapshot.isWhole {
            notice.text = localized("There are no passes yet. Drop pass files here.")
        } else {
            notice.text = localized("Reading…")
        }
    }

    private func searchChanged() {
        let isFirst = searching.found == nil
        searching.search(search.text, in: session) { [weak self] in
            guard let self else { return }
            if isFirst, searching.found != nil { placeBefore = list?.widget.position ?? 0 }
            showRows()
            if !isFirst, searching.found == nil { comeBack() }
        }
    }

    /// After a search, scrolls to the shown pass or to the earlier position.
    private func comeBack() {
        if let id = shown.id, list?.rows.contains(.pass(id)) == true {
            if list?.selected.isEmpty == true { list?.select([id]) }
            list?.scroll(to: id)
        } else {
            list?.widget.scroll(to: placeBefore)
        }
    }

    private func openFirst() {
        let passes = list?.rows.lazy.compactMap { row -> StoredPass.ID? in
            if case .pass(let id) = row { id } else { nil }
        }
        guard let first = passes?.first else { return }
        reveal([first])
        list?.focus()
    }

    private func choose() {
        let ids = list?.selected ?? []
        choice.show(count: ids.count)
        guard !isNarrow else { return }
        if ids.count > 1 { showSeveral(ids.count) } else { open(ids.first) }
    }

    /// Shows the number of selected passes in place of one pass.
    private func showSeveral(_ count: Int) {
        close(saying: localized("{count} passes selected", ["count": "\(count)"]))
        shown.isSeveral = true
    }

    /// The passes to share or remove: the selection if it has several, otherwise the shown pass.
    var chosen: [StoredPass] {
        let ids = list?.selected ?? []
        if isNarrow, shown.isOpen { return seen.map { [$0] } ?? [] }
        if ids.count > 1 { return ids.compactMap { snapshot.passes[$0] } }
        if let seen { return [seen] }
        return ids.compactMap { snapshot.passes[$0] }
    }

    private var seen: StoredPass? {
        if let detail = shown.pane?.detail { return detail.stored }
        return shown.hasFailed ? shown.id.flatMap { snapshot.passes[$0] } : nil
    }
}
