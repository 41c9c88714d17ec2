internal import CGTK
internal import Localization
internal import PassStore

/// The user's settings of a pass, as on its back in Wallet, and a button that updates it now.
@MainActor
final class SettingsPanel {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 10)
    private let updates: Switch
    private let notifications: Switch
    private let update: Button
    private let spinner = Spinner()
    private let offForAll = Label(
        localized(
            "Automatic updates of all passes are off. To turn them on:\n{command}",
            ["command": "passconduit update --on"])
    ).classed("dim-label", "caption")

    /// What the panel shows.
    struct State: Equatable {
        let updatesAutomatically: Bool
        let showsNotifications: Bool
        /// Whether automatic updates of all passes are off.
        let isOffForAll: Bool
        let isUpdating: Bool
    }

    struct Actions {
        let state: @MainActor @Sendable (StoredPass) -> State
        let set: @MainActor @Sendable (PassSetting, Bool, StoredPass) -> Void
        let update: @MainActor @Sendable (StoredPass) -> Void
    }

    init(_ pass: StoredPass, _ actions: Actions) {
        let state = actions.state(pass)
        updates = Switch(isOn: state.updatesAutomatically) { isOn in
            actions.set(.updatesAutomatically, isOn, pass)
        }
        notifications = Switch(isOn: state.showsNotifications) { isOn in
            actions.set(.showsNotifications, isOn, pass)
        }
        update = Button(localized("U_pdate Now"))
        update.on("clicked") { actions.update(pass) }
        widget.classed("pass-settings")
        widget.append(row(localized("_Automatic updates"), updates))
        widget.append(offForAll)
        widget.append(row(localized("Show _notifications"), notifications))
        let line = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, [update, spinner])
        widget.append(line)
        show(state)
    }

    func show(_ state: State) {
        updates.isOn = state.updatesAutomatically && !state.isOffForAll
        updates.isSensitive = !state.isOffForAll
        offForAll.isVisible = state.isOffForAll
        notifications.isOn = state.showsNotifications
        // The button stays enabled, so that it keeps the keyboard focus.
        update.title = state.isUpdating ? localized("Updating…") : localized("U_pdate Now")
        spinner.isSpinning = state.isUpdating
    }

    /// The control whose counterpart in another panel has the keyboard focus; nil if none.
    func control(focusedIn other: SettingsPanel) -> Widget? {
        let pairs: [(Widget, Widget)] = [
            (other.updates, updates), (other.notifications, notifications), (other.update, update),
        ]
        return pairs.first { $0.0.hasFocusWithin }?.1
    }

    private func row(_ title: String, _ control: Switch) -> Widget {
        let label = Mnemonic(title, of: control).expanding(horizontally: true)
        control.aligned(vertically: GTK_ALIGN_CENTER)
        return Box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [label, control])
    }
}
