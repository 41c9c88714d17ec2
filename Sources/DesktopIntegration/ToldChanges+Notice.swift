internal import Localization
internal import PassModel
internal import PassPresentation

extension ToldChanges {
    /// The notification; nil if there are no changes to report.
    package var notice: ChangeNotice? {
        let messages = messages
        guard !messages.isEmpty else { return nil }
        let name = displayLocale.headline(new)
        var lines = messages.prefix(4).map(inOneLine)
        if messages.count > 4 {
            lines.append(localized("and {count} more", ["count": "\(messages.count - 4)"]))
        }
        if !name.isEmpty { lines[0] = "\(name): \(lines[0])" }
        return ChangeNotice(
            title: title,
            body: lines.map { clipped($0, to: 300) }.joined(separator: "\n"))
    }

    private var title: String {
        switch new.style {
        case .boardingPass: localized("Boarding pass changed")
        case .coupon: localized("Coupon changed")
        case .eventTicket: localized("Event ticket changed")
        case .storeCard: localized("Store card changed")
        case .generic, .posterGeneric, nil: localized("Pass changed")
        }
    }
}
