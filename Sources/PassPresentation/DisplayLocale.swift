package import Foundation
internal import Localization
package import PassModel
package import PassStore

/// The language, the time zone and the current time that determine how a pass is displayed.
package struct DisplayLocale: Sendable {
    /// BCP 47 tags, in order of preference.
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

    /// A copy with another current time.
    package func reading(at now: Date) -> DisplayLocale {
        DisplayLocale(languages: languages, locale: locale, timeZone: timeZone, now: now)
    }

    package func value(of field: Field) -> String {
        field.formattedValue(locale: locale, timeZone: timeZone, now: now)
    }

    /// A date in full, with its time zone: `Wednesday, May 1, 2024 at 10:00 AM GMT`.
    package func moment(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.timeZone = timeZone
        formatter.dateStyle = .full
        formatter.timeStyle = .short
        let zone = timeZone.abbreviation(for: date) ?? ""
        // ICU puts U+202F before AM and PM, which few fonts have.
        return "\(formatter.string(from: date)) \(zone)".replacing("\u{202F}", with: " ")
    }

    /// A date for a list: `2024-05-01 10:00`.
    package func shortMoment(_ date: Date) -> String {
        // Creating a formatter takes as long as printing a list of passes.
        if let moment = CivilMoment(date, in: timeZone) { return moment.description }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = timeZone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: date)
    }

    /// A short description of a pass: its issuer, and its route or purpose.
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

/// Joins the organisation and the matter, without repeating one in the other.
package func headline(organization: String, matter: String) -> String {
    if organization.isEmpty || matter.hasPrefix(organization) { return matter }
    return matter.isEmpty ? organization : "\(organization), \(matter)"
}

/// Like ``DisplayLocale/headline(_:)``, from the index of the library.
package func headline(_ version: StoredVersion) -> String {
    headline(organization: version.organizationName, matter: version.description)
}

/// The name of a style.
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

/// The name of a style, padded to the longest one, for columns.
package func styleInColumn(_ style: PassStyle?) -> String {
    let styles: [PassStyle] = [.boardingPass, .coupon, .eventTicket, .generic, .storeCard]
    return inColumn(styleInWords(style), styles.map(styleInWords))
}

/// A word padded to the width of the longest of `words`.
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
