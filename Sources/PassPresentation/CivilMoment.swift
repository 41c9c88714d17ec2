internal import Foundation

/// A date in the Gregorian calendar, to the minute: `2024-05-01 10:00`.
struct CivilMoment: CustomStringConvertible {
    private let year: Int
    private let month: Int
    private let day: Int
    private let minuteOfDay: Int

    /// Nil outside 1930 to 9999: earlier, some countries used other calendars; later years have
    /// five digits.
    init?(_ date: Date, in timeZone: TimeZone) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard seconds > -1_262_304_000, seconds < 253_402_214_400 else { return nil }
        let local = Int(seconds) + timeZone.secondsFromGMT(for: date)
        let (days, second) = (local / 86_400, local % 86_400)
        let (day, secondOfDay) = second < 0 ? (days - 1, second + 86_400) : (days, second)
        minuteOfDay = secondOfDay / 60
        // Counting years from 1 March puts the leap day at the end of a year. 719,468 days separate
        // 1 March 0000 from 1970-01-01; 400 years have 146,097 days.
        let sinceMarch = day + 719_468
        let dayOfEra = sinceMarch % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthSinceMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthSinceMarch + 2) / 5 + 1
        month = monthSinceMarch < 10 ? monthSinceMarch + 3 : monthSinceMarch - 9
        year = yearOfEra + sinceMarch / 146_097 * 400 + (month <= 2 ? 1 : 0)
    }

    var description: String {
        "\(year)-\(two(month))-\(two(day)) \(two(minuteOfDay / 60)):\(two(minuteOfDay % 60))"
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
