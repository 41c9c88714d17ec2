package import FoundationEssentials

/// A date in HTTP format, in seconds since 1970 (RFC 9110, 5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable, Codable {
    package let seconds: Int

    package init(seconds: Int) {
        self.seconds = seconds
    }

    /// Rounds down, so that the date is not in the future.
    package init(_ date: Date) {
        seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? .max
    }

    package static var now: HTTPDate { HTTPDate(.now) }

    /// Parses the three formats: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`
    /// and `Sun Nov  6 08:49:37 1994`. VIOLATIONS.md, H2: `UTC`, and months in any case.
    package init?(_ text: String, now: HTTPDate) {
        guard text.utf8.count <= 64 else { return nil }
        var words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        if words.count == 5 {
            // asctime: month before day, year last.
            words = [words[0], words[2], words[1], words[4], words[3]]
        } else if words.count == 6, ["GMT", "UTC"].contains(words[5].uppercased()) {
            words.removeLast()
        } else {
            return nil
        }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        let name = words[2].prefix(3).lowercased()
        guard let month = HTTPDate.months.firstIndex(where: { $0.lowercased() == name }),
            let day = HTTPDate.number(words[1], 1...31),
            var year = HTTPDate.number(words[3], 0...9999),
            clock.count == 3,
            let hour = HTTPDate.number(String(clock[0]), 0...23),
            let minute = HTTPDate.number(String(clock[1]), 0...59),
            let second = HTTPDate.number(String(clock[2]), 0...60)
        else { return nil }
        if words[3].utf8.count == 2 {
            // A two-digit year is at most fifty years in the future (RFC 9110, 5.6.7).
            let thisYear = 1970 + now.seconds / 31_556_952
            year += thisYear - thisYear % 100
            if year > thisYear + 50 { year -= 100 }
        }
        seconds =
            HTTPDate.days(year, month + 1, day) * 86400 + hour * 3600 + minute * 60 + second
    }

    package static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }

    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }

    /// Days since 1970. Counts years from March, so that the leap day is the last day of a year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let sinceMarch = (month + 9) % 12
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + (sinceMarch * 153 + 2) / 5 + day - 719_469
    }
}
