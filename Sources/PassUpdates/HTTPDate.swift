package import Foundation

/// A moment as header fields have it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
package struct HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// Nil before 1900 and after 9999, where nobody signs.
    package let text: String?

    package init(_ date: Date) {
        guard (-2_208_988_800..<253_402_300_800).contains(date.timeIntervalSince1970) else {
            text = nil
            return
        }
        // The second that it is in: a moment later would be one that did not come yet.
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        let parts = HTTPDate.calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute, .second], from: second)
        let weekday = HTTPDate.weekdays[((parts.weekday ?? 1) - 1) % 7]
        let month = HTTPDate.months[((parts.month ?? 1) - 1) % 12]
        let clock = [parts.hour, parts.minute, parts.second].map { digits($0, 2) }
        text =
            "\(weekday), \(digits(parts.day, 2)) \(month) \(digits(parts.year, 4)) "
            + clock.joined(separator: ":") + " GMT"
    }
}

private func digits(_ number: Int?, _ count: Int) -> String {
    let text = "\(number ?? 0)"
    return String(repeating: "0", count: max(count - text.count, 0)) + text
}
