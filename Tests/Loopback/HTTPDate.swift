import Foundation

/// Dates in HTTP (RFC 9110, 5.6.7).
enum HTTPDate {
    static func text(_ date: Date) -> String { formatter.string(from: date) }

    static func date(_ text: String) -> Date? { formatter.date(from: text) }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter
    }
}
