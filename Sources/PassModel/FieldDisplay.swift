public import Foundation

extension Field {
    /// The value formatted by the field's styles.
    ///
    /// ```swift
    /// let text = field.formattedValue(locale: .current, timeZone: .current, now: .now)
    /// ```
    ///
    /// - Parameters:
    ///   - locale: The user's locale.
    ///   - timeZone: The user's time zone; the field may prefer that of the date, which
    ///     is then named.
    ///   - now: The reference for relative dates.
    public func formattedValue(locale: Locale, timeZone: TimeZone, now: Date) -> String {
        switch value {
        case .text(let text): text
        case .integer(let integer): formatted(integer as NSNumber, Double(integer), locale)
        case .number(let number): formatted(number as NSNumber, number, locale)
        case .date(let date, _): formatted(date, locale, timeZone, now)
        }
    }

    /// The displayed text: that of the attributed value, or else the formatted value.
    ///
    /// ```swift
    /// let german = Locale(identifier: "de_DE")
    /// print(field.label ?? "", field.shownText(locale: german, timeZone: .current, now: .now))
    /// ```
    ///
    /// - Parameters: As for ``formattedValue(locale:timeZone:now:)``.
    public func shownText(locale: Locale, timeZone: TimeZone, now: Date) -> String {
        attributedText?.text ?? formattedValue(locale: locale, timeZone: timeZone, now: now)
    }

    private func formatted(_ exact: NSNumber, _ number: Double, _ locale: Locale) -> String {
        if let currencyCode, currencyCode.utf8.count == 3 {
            return number.formatted(.currency(code: currencyCode).locale(locale))
        }
        let formatter = NumberFormatter()
        formatter.locale = locale
        switch numberStyle {
        case .decimal, nil: formatter.numberStyle = .decimal
        case .percent: formatter.numberStyle = .percent
        case .scientific: formatter.numberStyle = .scientific
        case .spellOut: formatter.numberStyle = .spellOut
        }
        return formatter.string(from: exact) ?? value.description
    }

    private func formatted(
        _ written: PassDate, _ locale: Locale, _ timeZone: TimeZone, _ now: Date
    ) -> String {
        let reader = written.displayZone(reader: timeZone)
        let own =
            ignoresTimeZone ? written.secondsFromGMT.flatMap(TimeZone.init(secondsFromGMT:)) : nil
        if isRelative { return relative(written.date, locale, own ?? reader, now) }
        return DateWriter(locale: locale, timeZone: reader).text(
            written.date, date: dateStyle?.formatterStyle ?? .none,
            time: timeStyle?.formatterStyle ?? .none, in: own ?? reader)
    }

    private func relative(
        _ date: Date, _ locale: Locale, _ timeZone: TimeZone, _ now: Date
    ) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        calendar.timeZone = timeZone
        var style = Date.AnchoredRelativeFormatStyle(
            anchor: date, presentation: .named, unitsStyle: .wide, locale: locale,
            calendar: calendar)
        if timeStyle == nil || timeStyle == DateStyle.none {
            style.allowedFields = [.year, .month, .week, .day]
        }
        return style.format(now)
    }
}

extension DateStyle {
    fileprivate var formatterStyle: DateFormatter.Style {
        switch self {
        case .none: .none
        case .short: .short
        case .medium: .medium
        case .long: .long
        case .full: .full
        }
    }
}
