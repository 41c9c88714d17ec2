internal import CGTK

extension LibraryWindow {
    func addShortcuts() {
        let shortcuts: [(String, @MainActor @Sendable (LibraryWindow) -> Void)] = [
            ("<Control>f|<Control>k", { $0.search.focus() }),
            ("Escape|<Alt>Left", { $0.escape() }),
            ("Delete", { $0.remove() }),
            ("<Control>z", { $0.undo() }),
            ("<Control>s", { $0.export() }),
            ("F9|<Control>b", { $0.showBarcode() }),
            ("<Control>t", { $0.detail?.turn() }),
            ("<Control>h", { $0.detail?.turnHistory() }),
            ("<Control>q|<Control>w", { $0.window.close() }),
        ]
        for (keys, action) in shortcuts {
            // The border between list and pass has a use of its own for Escape.
            window.addShortcut(keys, isFirst: keys.hasPrefix("Escape")) { [weak self] in
                guard let self else { return false }
                action(self)
                return true
            }
        }
    }
}
