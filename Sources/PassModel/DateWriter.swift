package import Foundation
internal import Synchronization

/// Writes dates as the reader's language does, in the reader's time zone or, with its name, in
/// another.
///
/// Creating a formatter takes as long as printing a list of passes, so formatters are reused.
package final class DateWriter: Sendable {
    private enum Form: Hashable {
        case styles(date: DateFormatter.Style, time: DateFormatter.Style)
        /// A pattern of UTS 35, in the Gregorian calendar.
        case pattern(String)
    }

    private let locale: Locale
    private let timeZone: TimeZone
    private let formatters = Mutex<[Form: DateFormatter]>([:])

    /// - Parameter timeZone: The reader's.
    package init(locale: Locale, timeZone: TimeZone) {
        self.locale = locale
        self.timeZone = timeZone
    }

    /// A date in these styles.
    package func text(
        _ moment: Date, date: DateFormatter.Style, time: DateFormatter.Style
    ) -> String {
        text(moment, .styles(date: date, time: time))
    }

    /// A date in a form that is the same in each language, such as `yyyy-MM-dd` (UTS 35).
    package func text(_ moment: Date, pattern: String) -> String {
        text(moment, .pattern(pattern))
    }

    private func text(_ moment: Date, _ form: Form) -> String {
        formatters.withLock { formatters in
            let formatter = formatters[form] ?? formatter(form, timeZone)
            formatters[form] = formatter
            return printable(formatter.string(from: moment))
        }
    }

    /// A date in another time zone. A time is followed by the name of the zone, unless the reader's
    /// clocks show the same time: `2:25 PM GMT+1`.
    package func text(
        _ moment: Date, date: DateFormatter.Style, time: DateFormatter.Style, in zone: TimeZone
    ) -> String {
        let text = printable(formatter(.styles(date: date, time: time), zone).string(from: moment))
        let isSame = zone.secondsFromGMT(for: moment) == timeZone.secondsFromGMT(for: moment)
        // The longer styles contain the name.
        guard !isSame, time == .short || time == .medium else { return text }
        return "\(text) \(name(of: zone, at: moment))"
    }

    /// The name of the reader's time zone: `GMT+1`.
    package func zoneName(at moment: Date) -> String { name(of: timeZone, at: moment) }

    private func name(of zone: TimeZone, at moment: Date) -> String {
        zone.abbreviation(for: moment) ?? zone.identifier
    }

    private func formatter(_ form: Form, _ zone: TimeZone) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.timeZone = zone
        switch form {
        case .styles(let date, let time):
            formatter.locale = locale
            formatter.dateStyle = date
            formatter.timeStyle = time
        case .pattern(let pattern):
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = pattern
        }
        return formatter
    }
}

/// Removes what few fonts and terminals display: U+202F before AM and PM, and the directional marks
/// in dates of right-to-left languages.
private func printable(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.compactMap { scalar in
                switch scalar {
                case "\u{202F}": " "
                case "\u{200E}", "\u{200F}", "\u{61C}": nil
                default: scalar
                }
            }))
}
