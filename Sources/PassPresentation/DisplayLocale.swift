public import Foundation
internal import Localization
public import PassModel
public import PassStore

/// The languages, the locale, the time zone and the current time that determine how a pass is
/// displayed.
///
/// ```swift
/// let displayLocale = DisplayLocale(
///     languages: ["de"], locale: Locale(identifier: "de_DE"), timeZone: .current, now: .now)
/// print(displayLocale.headline(pass), displayLocale.moment(pass.relevantDate ?? .now))
/// ```
public struct DisplayLocale: Sendable {
    /// BCP 47 tags in order of preference, for the texts of a pass.
    public let languages: [String]
    /// For dates, numbers and amounts.
    public let locale: Locale
    /// For dates without a time zone.
    public let timeZone: TimeZone
    /// The current time, for relative dates and expiry.
    public let now: Date

    /// - Parameters:
    ///   - languages: BCP 47 tags in order of preference.
    ///   - locale: For dates, numbers and amounts.
    ///   - timeZone: For dates without a time zone.
    ///   - now: The current time, for relative dates and expiry.
    public init(languages: [String], locale: Locale, timeZone: TimeZone, now: Date) {
        self.languages = languages
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }

    /// A copy with another current time.
    public func reading(at now: Date) -> DisplayLocale {
        DisplayLocale(languages: languages, locale: locale, timeZone: timeZone, now: now)
    }

    /// The value of a field, formatted as the field specifies.
    public func value(of field: Field) -> String {
        field.formattedValue(locale: locale, timeZone: timeZone, now: now)
    }

    /// A date in full, with its time zone: `Wednesday, May 1, 2024 at 10:00 AM GMT`.
    public func moment(_ date: Date) -> String {
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
    public func shortMoment(_ date: Date) -> String {
        // Creating a formatter takes as long as printing a list of passes.
        if let moment = CivilMoment(date, in: timeZone) { return moment.description }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = timeZone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: date)
    }

    /// A short description of a pass: its issuer, and its route or description. For example:
    /// `Example Air, LIS -> OPO`.
    public func headline(_ pass: Pass) -> String {
        let localized = pass.localized(for: languages)
        let organization = localized.organizationName
        let ends = localized.fields.primary.map(value).filter { !$0.isEmpty }
        let matter =
            pass.style == .boardingPass && ends.count == 2
            ? ends.joined(separator: " -> ") : localized.localizedDescription
        return PassPresentation.headline(organization: organization, matter: matter)
    }
}

/// Joins the organisation with the route or description, without repeating either in the other.
package func headline(organization: String, matter: String) -> String {
    if organization.isEmpty || matter.hasPrefix(organization) { return matter }
    return matter.isEmpty ? organization : "\(organization), \(matter)"
}

extension StoredVersion {
    /// A short description of a pass of the library: its issuer and its description.
    ///
    /// For example: `for pass in try library.passes() { print(pass.current.headline) }`
    public var headline: String {
        PassPresentation.headline(organization: organizationName, matter: description)
    }
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
