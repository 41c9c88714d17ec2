internal import Localization

/// The keyboard shortcuts, as listed in the window and in the manual page.
package enum ViewerKey: CaseIterable, Sendable {
    case enter, escape, search, barcode, turn, history, export, mail, remove, undo, choose,
        chooseAll, help, end

    /// In GTK's syntax, for keys that the library window handles; nil for those that widgets
    /// handle.
    var keys: String? {
        switch self {
        case .enter, .choose, .chooseAll: nil
        case .escape: "Escape|<Alt>Left"
        case .search: "<Control>f|<Control>k"
        case .barcode: "F9|<Control>b"
        case .turn: "<Control>t"
        case .history: "<Control>h"
        case .export: "<Control>s"
        case .mail: "<Control>m"
        case .remove: "Delete"
        case .undo: "<Control>z"
        case .help: "F1|<Control>question"
        case .end: "<Control>q|<Control>w"
        }
    }

    /// The key as labelled on a keyboard.
    package var name: String {
        switch self {
        case .enter: "Enter"
        case .escape: "Escape"
        case .search: "Ctrl+F"
        case .barcode: "F9"
        case .turn: "Ctrl+T"
        case .history: "Ctrl+H"
        case .export: "Ctrl+S"
        case .mail: "Ctrl+M"
        case .remove: "Delete"
        case .undo: "Ctrl+Z"
        case .choose: "Shift+Up, Shift+Down"
        case .chooseAll: "Ctrl+A"
        case .help: "F1"
        case .end: "Ctrl+Q"
        }
    }

    package var meaning: String {
        switch self {
        case .enter: localized("adds the pass, or opens the selected one")
        case .escape: localized("cancels, or goes back")
        case .search: localized("searches; typing does, too")
        case .barcode: localized("shows the barcode alone, large and bright")
        case .turn: localized("turns the pass over")
        case .history: localized("shows the history of the pass")
        case .export: localized("exports the pass, or all selected passes")
        case .mail: localized("sends the pass by mail, or all selected passes")
        case .remove: localized("removes the pass, or all selected passes")
        case .undo: localized("undoes a removal")
        case .choose: localized("selects several passes, as a click with Ctrl or Shift does")
        case .chooseAll: localized("selects all passes")
        case .help: localized("shows the keys")
        case .end: localized("quits the program")
        }
    }
}
