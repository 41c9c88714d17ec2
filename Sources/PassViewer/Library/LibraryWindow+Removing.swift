internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore

extension LibraryWindow {
    func makeRemovals() -> Removals {
        Removals(
            session, application,
            Removals.Actions(
                changed: { [weak self] in
                    self?.showRows()
                    self?.showUndo()
                },
                failed: { [weak self, session, application] problem in
                    let title = localized("Passes could not be removed")
                    tell(problem, title, self, session, application)
                },
                isAttended: { [weak self] in self?.bars.isAttended("undo") ?? false }))
    }

    /// Hides the chosen passes; they are removed once undo is no longer offered.
    func remove() {
        // An older version can only be removed together with its pass.
        if shown.pane?.detail.isOld == true { return }
        removals?.remove(chosen)
        // The focused widget may have been removed with the pass.
        if search.text.isEmpty { list?.focus() }
    }

    /// Cancels the removal of passes that got a newer version, and reports them.
    func checkRemovals(_ snapshot: LibrarySnapshot) {
        for pass in removals?.check(snapshot) ?? [] {
            let name = pass.current.headline.shortenedName.escaped
            bars.show(
                localized("A newer version arrived and was kept: {name}", ["name": name]),
                for: "news")
        }
        showUndo()
    }

    func undo() {
        guard let passes = removals?.undo(), !passes.isEmpty else { return showUndo() }
        reveal(passes.map(\.id).filter { snapshot.passes[$0] != nil })
        list?.focus()
    }

    private func showUndo() {
        guard let passes = removals?.last, let first = passes.first else {
            return bars.hide("undo")
        }
        let name = first.current.headline.shortenedName.escaped
        let text =
            passes.count == 1
            ? localized("Removed: {name}", ["name": name])
            : localized("Removed: {count} passes", ["count": "\(passes.count)"])
        bars.show(text, for: "undo", button: localized("_Undo")) { [weak self] in self?.undo() }
    }
}

/// Shows an error in the window, or as a notification if the window is closed.
@MainActor
func tell(
    _ problem: String, _ title: String, _ window: LibraryWindow?, _ session: WindowSession,
    _ application: Application
) {
    if let window, !window.isClosed {
        window.bars.show(problem: problem)
    } else {
        session.report(problem, titled: title)
        application.end(with: .unreadable)
    }
}
