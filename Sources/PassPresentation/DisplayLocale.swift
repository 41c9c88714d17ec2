package import Foundation
internal import Localization
package import PassModel
package import PassStore

/// Who reads a pass, where and when: what decides the words in which it is shown.
package struct DisplayLocale: Sendable {
    /// BCP 47, the one liked best first.
    package let languages: [String]
    package let locale: Locale
    package let timeZone: TimeZone
    package let now: Date

    package init(languages: [String], locale: Locale, timeZone: TimeZone, now: Date) {
        self.languages = languages
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }

    /// The same one, at another moment.
    package func reading(at now: Date) -> DisplayLocale {
        DisplayLocale(languages: languages, locale: locale, timeZone: timeZone, now: now)
    }

    package func value(of field: Field) -> String {
        field.formattedValue(locale: locale, timeZone: timeZone, now: now)
    }

    /// A moment with its day, for one who has to be there: `Wednesday, May 1, 2024 at 10:00 AM GMT`.
    package func moment(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.timeZone = timeZone
        formatter.dateStyle = .full
        formatter.timeStyle = .short
        let zone = timeZone.abbreviation(for: date) ?? ""
        // ICU separates the time from AM and PM by a narrow space that few fonts have.
        return "\(formatter.string(from: date)) \(zone)".replacing("\u{202F}", with: " ")
    }

    /// A moment in a list: `2024-05-01 10:00`.
    package func shortMoment(_ date: Date) -> String {
        // A formatter takes as long to make as a list of passes.
        if let moment = CivilMoment(date, in: timeZone) { return moment.description }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = timeZone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: date)
    }

    /// What a pass is, in a few words: who issued it, and the way it goes or what it is for.
    package func headline(_ pass: Pass) -> String {
        let localized = pass.localized(for: languages)
        let organization = localized.organizationName
        let ends = localized.fields.primary.map(value).filter { !$0.isEmpty }
        let matter =
            pass.style == .boardingPass && ends.count == 2
            ? ends.joined(separator: " -> ") : localized.localizedDescription
        return PassPresentation.headline(organization: organization, matter: matter)
    }
}

/// Who issued a pass and what it is for, without saying anything twice.
package func headline(organization: String, matter: String) -> String {
    if organization.isEmpty || matter.hasPrefix(organization) { return matter }
    return matter.isEmpty ? organization : "\(organization), \(matter)"
}

/// What a pass is, in a few words, as the index knows it.
package func headline(_ version: StoredVersion) -> String {
    headline(organization: version.organizationName, matter: version.description)
}

/// The style of a pass as a person calls it.
package func styleInWords(_ style: PassStyle?) -> String {
    switch style {
    case .boardingPass: localized("Boarding pass")
    case .coupon: localized("Coupon")
    case .eventTicket: localized("Event ticket")
    case .generic: localized("Pass")
    case .storeCard: localized("Store card")
    case nil: "-"
    }
}

/// The style as wide as the longest of them, so that what comes next stands below each other.
package func styleInColumn(_ style: PassStyle?) -> String {
    let styles: [PassStyle] = [.boardingPass, .coupon, .eventTicket, .generic, .storeCard]
    return inColumn(styleInWords(style), styles.map(styleInWords))
}

/// A word as wide as the widest of those that may stand there.
package func inColumn(_ word: String, _ words: [String]) -> String {
    padded(word, to: words.map(columns).max() ?? 0)
}

package func barcodeInWords(_ format: BarcodeFormat) -> String {
    switch format {
    case .qr: localized("QR code")
    case .pdf417: "PDF417"
    case .aztec: "Aztec"
    case .code128: "Code 128"
    case .code39: "Code 39"
    case .codabar: "Codabar"
    case .ean13: "EAN-13"
    case .interleaved2of5: "Interleaved 2 of 5"
    }
}
