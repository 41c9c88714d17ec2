internal import Bytes
public import Foundation

/// A date in a pass, with its time zone.
///
/// ```swift
/// if case .date(let departure, _) = pass.fields["departure"]?.value, departure.hasTime {
///     print(departure.date, departure.secondsFromGMT ?? 0)
/// }
/// ```
public struct PassDate: Sendable, Hashable {
    /// The point in time. A date without a time zone is interpreted as UTC.
    public let date: Date
    /// The offset of the time zone from UTC in seconds; nil if absent.
    public let secondsFromGMT: Int?
    /// Whether it includes a time of day.
    public let hasTime: Bool
    /// Whether the text conforms exactly to the W3C note "Date and Time Formats".
    package let isStandard: Bool

    /// Parses the formats of the W3C note (`1997`, `1997-07`, `1997-07-16`,
    /// `1997-07-16T19:20+01:00`, with seconds and a fraction) and common deviations: `-0400`, no
    /// time zone, a space instead of `T`. Nil if invalid.
    ///
    /// For example: `PassDate("2024-06-01T13:25+01:00")?.secondsFromGMT == 3600`
    public init?(_ text: String) {
        guard let written = WrittenDate(text) else { return nil }
        guard let date = written.date else { return nil }
        self.date = date
        secondsFromGMT = written.secondsFromGMT
        hasTime = written.hasTime
        isStandard = written.isStandard
    }
}

/// The components of a date. VIOLATIONS.md, P19: what is not standard.
private struct WrittenDate {
    private var day = DateComponents(year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0)
    private var fraction = 0.0
    private(set) var secondsFromGMT: Int?
    private(set) var hasTime = false
    private(set) var isStandard = true
    private var rest: Substring.UTF8View

    init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= 64 else { return nil }
        rest = text[...].utf8
        guard readDay() else { return nil }
        guard !rest.isEmpty else { return }
        guard readTime(), readZone(), rest.isEmpty else { return nil }
    }

    /// Nil for an invalid date, such as 30 February.
    var date: Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var start = day
        // ISO 8601 allows hour 24 for the end of the day.
        let isMidnightAtEnd = day.hour == 24 && day.minute == 0 && day.second == 0
        // A leap second is treated as the second before.
        if start.second == 60 { start.second = 59 }
        if isMidnightAtEnd { start.hour = 0 }
        guard start.isValidDate(in: calendar), let moment = calendar.date(from: start) else {
            return nil
        }
        let shift = fraction - Double(secondsFromGMT ?? 0) + (isMidnightAtEnd ? 86400 : 0)
        return moment.addingTimeInterval(shift)
    }

    private mutating func readDay() -> Bool {
        guard let year = number(digits: 4) else { return false }
        day.year = year
        guard skip("-") else { return true }
        guard let month = number(digits: 2) else { return false }
        day.month = month
        guard skip("-") else { return true }
        guard let dayOfMonth = number(digits: 2) else { return false }
        day.day = dayOfMonth
        return true
    }

    private mutating func readTime() -> Bool {
        if !skip("T") {
            guard skip("t") || skip(" ") else { return false }
            isStandard = false
        }
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2) else {
            return false
        }
        (day.hour, day.minute, hasTime) = (hour, minute, true)
        guard skip(":") else { return true }
        guard let second = number(digits: 2) else { return false }
        day.second = second
        guard skip(".") || skip(",") else { return true }
        let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard let value = Double("0." + String(streamSafe: digits)), !digits.isEmpty
        else { return false }
        fraction = value
        rest = rest.dropFirst(digits.count)
        return true
    }

    private mutating func readZone() -> Bool {
        if skip(" ") { isStandard = false }
        if skip("Z") || skip("z") {
            secondsFromGMT = 0
            return true
        }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0 else {
            isStandard = false
            return rest.isEmpty
        }
        guard let hours = number(digits: 2), hours <= 14 else { return false }
        if !skip(":") { isStandard = false }
        let minutes = rest.isEmpty ? 0 : number(digits: 2)
        guard let minutes, minutes < 60 else { return false }
        secondsFromGMT = sign * (hours * 3600 + minutes * 60)
        return true
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func number(digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits,
            text.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
        else { return nil }
        rest = rest.dropFirst(digits)
        return Int(String(streamSafe: text))
    }
}

extension PassDate {
    /// The time zone in which the date is shown. A date without a time zone or a time of day is not
    /// converted.
    func displayZone(reader timeZone: TimeZone) -> TimeZone {
        secondsFromGMT == nil ? .gmt : timeZone
    }
}
