internal import CGTK
internal import Localization
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// The versions of a pass: when and from where each came, and what it changed.
@MainActor
struct VersionList {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 10).margin(6)

    /// Maximum number of versions shown; GTK lays out each one.
    static let limit = 50

    init(_ detail: StoredDetail, _ displayLocale: DisplayLocale, _ actions: DetailPane.Actions) {
        for past in detail.history.prefix(VersionList.limit) {
            widget.append(row(past, of: detail, displayLocale, actions))
        }
        let rest = detail.history.count - VersionList.limit
        if rest > 0 { widget.append(Label(localized("and {count} more", ["count": "\(rest)"]))) }
    }

    private func row(
        _ past: PastVersion, of detail: StoredDetail, _ displayLocale: DisplayLocale,
        _ actions: DetailPane.Actions
    ) -> Widget {
        let version = past.version
        let box = Box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        let signed = version.signedAt.map {
            localized("Signed {date}", ["date": displayLocale.shortMoment($0)])
        }
        let title = signed ?? localized("Without a signing time")
        box.append(Label("\(title), \(version.verdict.rawValue)").classed("heading"))
        for change in past.changes.prefix(20) { box.append(Label(change)) }
        for (origin, place) in zip(version.origins, past.origins).prefix(10) {
            box.append(Label(localized("From {place}", ["place": place])).classed("dim-label"))
            let mail = [origin.from, origin.date.map(displayLocale.shortMoment), origin.subject]
                .compactMap(\.self).filter { !$0.isEmpty }
            if !mail.isEmpty {
                let line = mail.joined(separator: ", ").shortenedName.escaped
                box.append(Label(line).classed("dim-label"))
            }
        }
        let date = displayLocale.shortMoment(version.importedAt)
        box.append(
            Label(localized("In the library since {date}", ["date": date])).classed("dim-label"))
        box.append(buttons(version, of: detail, title, actions))
        return box
    }

    private func buttons(
        _ version: StoredVersion, of detail: StoredDetail, _ title: String,
        _ actions: DetailPane.Actions
    ) -> Widget {
        let show = Button(localized("Show"))
        show.setSpokenText(localized("Show the version: {title}", ["title": title]))
        show.isSensitive = version.sha256 != detail.version.sha256
        show.on("clicked") { actions.showVersion(version) }
        let export = Button(localized("Export…"))
        export.setSpokenText(localized("Export the version: {title}", ["title": title]))
        export.on("clicked") { actions.exportVersion(version) }
        return Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, [show, export])
    }
}
