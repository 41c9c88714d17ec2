internal import Localization
internal import PassCommands
internal import PassStore

extension LibraryWindow {
    func remove() {
        let id = isNarrow ? shownID : shownID ?? list?.selected
        guard let id, let pass = shelf.passes[id] else { return }
        removals?.remove(pass)
    }

    func undo() {
        guard let pass = removals?.undo() else { return }
        list?.select(pass.id)
        open(pass.id)
    }

    func showUndo() {
        guard let pass = removals?.last else { return bars.hide("undo") }
        let name = headline(pass.current).shortenedName.escaped
        bars.show(
            localized("Removed: {name}", ["name": name]), for: "undo",
            button: localized("_Undo")
        ) { [weak self] in self?.undo() }
    }
}
