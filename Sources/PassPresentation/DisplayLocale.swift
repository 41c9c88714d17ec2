public import Foundation
internal import Localization
public import PassModel
public import PassStore
internal import Platform
internal import Synchronization

/// The languages, the locale, the time zone and the current time that determine how a pass is
/// displayed. Dates are in the time zone of the reader; the name of another one follows its times.
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
    /// The reader's time zone.
    public let timeZone: TimeZone
    /// The current time, for relative dates and expiry.
    public let now: Date
    private let dates: DateWriter
    private let writesISODates: Bool

    /// Creates a display locale.
    ///
    /// ```swift
    /// let lisbon = TimeZone(identifier: "Europe/Lisbon") ?? .gmt
    /// let displayLocale = DisplayLocale(
    ///     languages: ["pt"], locale: Locale(identifier: "pt_PT"), timeZone: lisbon, now: .now)
    /// ```
    ///
    /// - Parameters:
    ///   - languages: BCP 47 tags in order of preference.
    ///   - locale: For dates, numbers and amounts.
    ///   - timeZone: The reader's time zone.
    ///   - now: The current time, for relative dates and expiry.
    ///   - writesISODates: Whether dates in lists have the form `2024-05-01 10:00` instead of that
    /// of the locale: for readers in the C locale, such as scripts.
    public init(
        languages: [String], locale: Locale, timeZone: TimeZone, now: Date,
        writesISODates: Bool = false
    ) {
        self.languages = languages
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
        self.writesISODates = writesISODates
        dates = DateWriter(locale: locale, timeZone: timeZone)
    }

    /// A copy with another current time.
    ///
    /// For example: `let tomorrow = displayLocale.reading(at: displayLocale.now + 86_400)`
    public func reading(at now: Date) -> DisplayLocale {
        DisplayLocale(
            languages: languages, locale: locale, timeZone: timeZone, now: now,
            writesISODates: writesISODates)
    }

    /// The value of a field, formatted as the field specifies.
    ///
    /// For example: `let seat = pass.fields["seat"].map(displayLocale.value)`
    public func value(of field: Field) -> String {
        field.formattedValue(locale: locale, timeZone: timeZone, now: now)
    }

    /// When a later event of a pass is; nil if unknown.
    ///
    /// For example: `let next = pass.upcomingEntries.first.flatMap(displayLocale.date)`
    public func date(of entry: UpcomingEntry) -> String? {
        entry.formattedDate(locale: locale, timeZone: timeZone)
    }

    /// A date in full, with its time zone: `Wednesday, May 1, 2024 at 10:00 AM GMT`.
    ///
    /// For example: `let expiry = pass.expirationDate.map(displayLocale.moment)`
    public func moment(_ date: Date) -> String {
        "\(dates.text(date, date: .full, time: .short)) \(dates.zoneName(at: date))"
    }

    /// A date for a list: `5/1/24, 10:00 AM`.
    ///
    /// For example: `let signed = verification.signedAt.map(displayLocale.shortMoment)`
    public func shortMoment(_ date: Date) -> String {
        writesISODates
            ? dates.text(date, pattern: "yyyy-MM-dd HH:mm")
            : dates.text(date, date: .short, time: .short)
    }

    /// The day of a date: `May 1, 2024`.
    ///
    /// For example: `let certified = verification.signer.map { displayLocale.day($0.notAfter) }`
    public func day(_ date: Date) -> String {
        writesISODates
            ? dates.text(date, pattern: "yyyy-MM-dd")
            : dates.text(date, date: .medium, time: .none)
    }

    private func time(_ date: Date) -> String {
        writesISODates
            ? dates.text(date, pattern: "HH:mm") : dates.text(date, date: .none, time: .short)
    }

    /// A date with the day in words if recent: `today 2:03 PM`.
    package func recentMoment(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        for (days, name) in [(0, localized("today")), (-1, localized("yesterday"))] {
            guard let day = calendar.date(byAdding: .day, value: days, to: now),
                calendar.isDate(date, inSameDayAs: day)
            else { continue }
            return "\(name) \(time(date))"
        }
        return shortMoment(date)
    }

    /// The name of a pass in lists and messages, such as `Example Air, LIS -> OPO`: its issuer, and
    /// its route, its event or its description.
    ///
    /// For example: `print(displayLocale.headline(pass))`
    public func headline(_ pass: Pass) -> String {
        PassPresentation.headline(PassName(pass.localized(for: languages)))
    }

    /// The same name for a version of a pass in the library, without reading its file.
    ///
    /// ```swift
    /// for pass in try library.passes() { print(displayLocale.headline(pass.current)) }
    /// ```
    public func headline(_ version: StoredVersion) -> String {
        version.headline(for: languages)
    }
}

extension DisplayLocale {
    /// Uses the variables of an environment.
    ///
    /// - Parameter language: Overrides the variables. It may be a list like LANGUAGE.
    package init(_ environment: LocaleEnvironment, language: String?) {
        self.init(
            languages: environment.languages(language),
            locale: Locale(identifier: environment.locale(language)),
            timeZone: environment.timeZone,
            now: .now,
            writesISODates: language == nil && environment.hasNoTimeLocale)
    }

    /// The languages, the locale and the time zone of the person who runs the program, as the
    /// command `passconduit` finds them: in the variables `LANGUAGE`, `LC_ALL`, `LC_MESSAGES`,
    /// `LC_TIME`, `LANG` and `TZ`, and in `/etc/localtime`. Foundation's `Locale.current` does not
    /// follow them on Linux.
    ///
    /// ```swift
    /// let displayLocale = DisplayLocale.current
    /// displayLocale.use()
    /// print(displayLocale.languages, displayLocale.day(.now))
    /// ```
    public static var current: DisplayLocale {
        DisplayLocale(LocaleEnvironment(ProcessInfo.processInfo.environment), language: nil)
    }

    /// Sets the language of ``Phrase/localized`` and ``VerdictWords``: the first of these languages
    /// that has a catalogue. Dates in phrases use this locale and time zone. Call it once per process,
    /// before starting threads.
    ///
    /// The catalogues are those that passconduit installs (`passconduit.mo` in `share/locale` above
    /// the program, in `/usr/local/share/locale` or in `/usr/share/locale`). Without them, the words
    /// are English.
    ///
    /// For example: `DisplayLocale.current.use()`
    public func use() {
        Catalogue(languages, ofProgram: CommandLine.programPath ?? "")?.use()
        useForDates()
    }

    /// Sets the locale and time zone of dates in phrases. Call it where the message catalogue is
    /// chosen.
    package func useForDates() {
        reader.withLock { $0 = self }
    }

    static var inUse: DisplayLocale? { reader.withLock(\.self) }
}

/// Like the catalogue, one for the process.
private let reader = Mutex<DisplayLocale?>(nil)

/// Joins the organisation with the route or description, without repeating either in the other.
package func headline(organization: String, matter: String) -> String {
    let (organization, matter) = (inOneLine(organization), inOneLine(matter))
    if organization.isEmpty || begins(matter, with: organization) { return matter }
    return matter.isEmpty ? organization : "\(organization), \(matter)"
}

/// Whether a text begins with these words, and not with a longer one.
private func begins(_ text: String, with words: String) -> Bool {
    guard text.utf8.starts(with: words.utf8) else { return false }
    let next = text.unicodeScalars.dropFirst(words.unicodeScalars.count).first
    return next.map(continuesWord) != true
}

/// Whether a scalar after a word belongs to it, as in UAX 29: no spaces separate words of ideographs
/// and hiragana.
private func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isIdeographic || (0x3041...0x309F).contains(scalar.value) { return false }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
        .otherNumber:
        true
    default: false
    }
}

private func headline(_ name: PassName) -> String {
    headline(organization: name.issuer, matter: name.subject)
}

extension StoredVersion {
    /// The name of a pass of the library: its issuer, and its route, its event or its description,
    /// in the language of ``DisplayLocale/use()``.
    ///
    /// For example: `for pass in try library.passes() { print(pass.current.headline) }`
    public var headline: String { headline(for: DisplayLocale.inUse?.languages ?? []) }

    fileprivate func headline(for languages: [String]) -> String {
        names.map { PassPresentation.headline($0.name(for: languages)) }
            ?? PassPresentation.headline(organization: organizationName, matter: description)
    }
}

/// The name of a style.
package func styleInWords(_ style: PassStyle?) -> String {
    switch style {
    case .boardingPass: localized("Boarding pass")
    case .coupon: localized("Coupon")
    case .eventTicket: localized("Event ticket")
    case .generic, .posterGeneric: localized("Pass")
    case .storeCard: localized("Store card")
    case nil: "-"
    }
}

/// The name of a style, padded to the longest one, for columns.
package func styleInColumn(_ style: PassStyle?) -> String {
    inColumn(styleInWords(style), PassStyle.allCases.map(styleInWords))
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
