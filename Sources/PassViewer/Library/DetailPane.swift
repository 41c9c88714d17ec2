internal import CGTK
internal import Localization
internal import PassCommands
internal import PassModel
internal import PassStore
internal import PassVerification

/// One pass of the library, and what can be done with it.
@MainActor
final class DetailPane {
    let widget: Box
    let detail: StoredDetail
    private let sides: PassSides
    private let history: Expander
    let exportButton = Button(icon: "document-save-as-symbolic", localized("Export… (Ctrl+S)"))
    let mailButton = Button(icon: "mail-send-symbolic", localized("Send by mail"))
    let removeButton = Button(icon: "user-trash-symbolic", localized("Remove (Delete)"))

    init(
        _ detail: StoredDetail, _ reader: Reader,
        showBarcode: @escaping @MainActor @Sendable () -> Void
    ) {
        self.detail = detail
        sides = PassSides(detail.pass, detail.face, reader, showBarcode: showBarcode)
        let content = Box(GTK_ORIENTATION_VERTICAL, spacing: 10).margin(12)
        content.append(VerdictBar(VerdictWords(detail.verification, reader)).widget)
        content.append(sides.widget)
        let actions = Box(
            GTK_ORIENTATION_HORIZONTAL, spacing: 8, [exportButton, mailButton, removeButton])
        actions.aligned(horizontally: GTK_ALIGN_CENTER).margin(8)
        let history = Box(GTK_ORIENTATION_VERTICAL, spacing: 10).margin(6)
        for past in detail.history.prefix(50) { history.append(version(past, reader)) }
        self.history = Expander(
            localized("History ({count})", ["count": "\(detail.history.count)"]), history)
        content.append(self.history)
        let scroller = Scroller(content).expanding(horizontally: true, vertically: true)
        widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [scroller, actions])
    }

    func turn() { sides.turn() }

    func turnHistory() { history.isExpanded.toggle() }

    func fit(width: Double) { sides.fit(width: width) }

    var face: Widget { sides.face }
}

/// When a version came, from where, and what it changed.
@MainActor
private func version(_ past: PastVersion, _ reader: Reader) -> Widget {
    let version = past.version
    let box = Box(GTK_ORIENTATION_VERTICAL, spacing: 2)
    let signed = version.signedAt.map {
        localized("Signed {date}", ["date": reader.shortMoment($0)])
    }
    let title = signed ?? localized("Without a signing time")
    box.append(Label("\(title), \(version.verdict.rawValue)").classed("heading"))
    for change in past.changes.prefix(20) { box.append(Label(change)) }
    for (origin, place) in zip(version.origins, past.origins).prefix(10) {
        box.append(Label(localized("From {place}", ["place": place])).classed("dim-label"))
        let mail = [origin.from, origin.date.map(reader.shortMoment), origin.subject]
            .compactMap(\.self).filter { !$0.isEmpty }
        if !mail.isEmpty {
            let line = mail.joined(separator: ", ").shortenedName.escaped
            box.append(Label(line).classed("dim-label"))
        }
    }
    let date = reader.shortMoment(version.importedAt)
    box.append(Label(localized("In the library since {date}", ["date": date])).classed("dim-label"))
    return box
}
