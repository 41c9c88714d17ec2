internal import CGTK
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassStore

/// Shows one pass of the library and the actions for it.
@MainActor
final class DetailPane {
    let widget: Box
    let detail: StoredDetail
    private let sides: PassSides
    private let history: Expander
    /// Nil for a pass that cannot be updated, and for an older version.
    private let settings: SettingsPanel?

    /// The actions of its buttons.
    struct Actions {
        let showBarcode: @MainActor @Sendable () -> Void
        let export: @MainActor @Sendable () -> Void
        let mail: @MainActor @Sendable () -> Void
        let remove: @MainActor @Sendable () -> Void
        let showVersion: @MainActor @Sendable (StoredVersion) -> Void
        let exportVersion: @MainActor @Sendable (StoredVersion) -> Void
        let settings: SettingsPanel.Actions
    }

    init(_ detail: StoredDetail, _ displayLocale: DisplayLocale, _ actions: Actions) {
        self.detail = detail
        settings =
            detail.isUpdatable && !detail.isOld
            ? SettingsPanel(detail.stored, actions.settings) : nil
        sides = PassSides(
            detail.pass, detail.face, displayLocale, settings: settings?.widget,
            showBarcode: actions.showBarcode)
        let content = Box(GTK_ORIENTATION_VERTICAL, spacing: 10).margin(12)
        if detail.isOld { content.append(oldBar(detail, displayLocale, actions)) }
        let isLost = detail.version.isVouchedFor(by: detail.verification) == false
        let verdict = VerdictWords(detail.verification, isLost: isLost, displayLocale)
        content.append(VerdictBar(verdict).widget)
        content.append(sides.widget)
        history = Expander(
            localized("History ({count})", ["count": "\(detail.history.count)"]),
            VersionList(detail, displayLocale, actions).widget)
        content.append(history)
        let scroller = Scroller(content).expanding(horizontally: true, vertically: true)
        widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [scroller, buttons(detail, actions)])
    }

    func turn() { sides.turn() }

    /// Whether both show the same pass, and both an older version or both the current one.
    func shows(_ other: StoredDetail) -> Bool {
        detail.stored.id == other.stored.id && detail.isOld == other.isOld
    }

    /// Restores the side and the expanded history of the pane that it replaces.
    func goOn(from old: DetailPane) {
        if old.sides.isTurned { turn() }
        history.isExpanded = old.history.isExpanded
    }

    /// The control whose counterpart in the replaced pane has the keyboard focus; nil if none.
    func control(focusedIn old: DetailPane) -> Widget? {
        old.settings.flatMap { settings?.control(focusedIn: $0) }
    }

    /// Shows the current settings of the pass.
    func showSettings(_ state: (StoredPass) -> SettingsPanel.State) {
        settings?.show(state(detail.stored))
    }

    func turnHistory() { history.isExpanded.toggle() }

    func fit(width: Double) { sides.fit(width: width) }

    var face: Widget { sides.face }
}

@MainActor
private func buttons(_ detail: StoredDetail, _ actions: DetailPane.Actions) -> Widget {
    let export = Button(icon: "document-save-as-symbolic", localized("Export… (Ctrl+S)"))
    export.on("clicked", actions.export)
    let mail = Button(icon: "mail-send-symbolic", localized("Send by mail"))
    mail.on("clicked", actions.mail)
    let box = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, [export, mail])
    // Remove deletes a pass with all its versions, so it is not offered for an older version.
    if !detail.isOld {
        let remove = Button(icon: "user-trash-symbolic", localized("Remove (Delete)"))
        remove.on("clicked", actions.remove)
        box.append(remove)
    }
    return box.aligned(horizontally: GTK_ALIGN_CENTER).margin(8)
}

/// Warns that an older version is shown.
@MainActor
private func oldBar(
    _ detail: StoredDetail, _ displayLocale: DisplayLocale, _ actions: DetailPane.Actions
) -> Widget {
    let front = detail.stored.current
    let date = displayLocale.shortMoment(front.signedAt ?? front.importedAt)
    let texts = Box(GTK_ORIENTATION_VERTICAL, spacing: 2).expanding(horizontally: true)
    texts.append(Label(localized("An older version")).classed("heading"))
    texts.append(Label(localized("Replaced by the version of {date}.", ["date": date])))
    let icon = Icon("document-open-recent-symbolic", size: 24)
        .aligned(vertically: GTK_ALIGN_START)
    let back = Button(localized("Show the _Newest"))
    back.on("clicked") { actions.showVersion(front) }
    let line = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 10, [icon, texts])
    let bar = Box(GTK_ORIENTATION_VERTICAL, spacing: 6, [line, back])
    back.aligned(horizontally: GTK_ALIGN_START)
    bar.classed("verdict", "verdict-doubtful")
    bar.setSpokenText(localized("An older version"))
    return bar
}
