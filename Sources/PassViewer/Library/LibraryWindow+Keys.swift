internal import CGTK

extension LibraryWindow {
    func addShortcuts() {
        for key in ViewerKey.allCases {
            guard let keys = key.keys else { continue }
            // The border between list and pass has a use of its own for Escape.
            window.addShortcut(keys, isFirst: key == .escape) { [weak self] in
                self?.press(key)
                return self != nil
            }
        }
    }

    private func press(_ key: ViewerKey) {
        switch key {
        // What has the focus knows what these mean.
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
