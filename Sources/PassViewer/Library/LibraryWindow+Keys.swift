internal import CGTK

extension LibraryWindow {
    func addShortcuts() {
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
        case .turn: shown.pane?.turn()
        case .history: shown.pane?.turnHistory()
        case .export: export()
        case .mail: mail()
        case .remove: remove()
        case .undo: undo()
        case .help: application.showKeys(above: window)
        case .end: window.close()
        }
    }
}
