import Bytes

/// Parses the date of a message (RFC 5322, 3.3); VIOLATIONS.md, M20: words in any order.
package enum MailDate {
    /// Seconds since 1970, UTC; nil if the day, month, year or time is missing.
    package static func seconds(_ text: String) -> Int? {
        var day: Int?
        var month: Int?
        var year: Int?
        var time: Int?
        var zone = 0
        // No date takes more than 512 bytes; the rest can only be a comment.
        let words = text.utf8.prefix(512).split { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
        for word in words {
            if let value = clock(word) {
                time = value
            } else if word.first == 0x2B || word.first == 0x2D {
                zone = offset(word) ?? zone
            } else if let number = number(word) {
                if day == nil, number <= 31 {
                    day = number
                } else if year == nil {
                    // Years of two and three digits: RFC 5322, 4.3.
                    year = number < 50 ? number + 2000 : number < 1000 ? number + 1900 : number
                }
            } else if month == nil, let index = months.firstIndex(of: word.prefix(3).lowercased) {
                month = index + 1
            } else if let hours = zones[word.lowercased] {
                zone = hours * 3600
            }
        }
        guard let day, let month, let year, let time, (1...31).contains(day), year <= 9999 else {
            return nil
        }
        return days(year, month, day) * 86_400 + time - zone
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let zones = [
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]

    private static func number(_ word: Substring.UTF8View) -> Int? {
        guard (1...4).contains(word.count) else { return nil }
        var value = 0
        for digit in word {
            guard digit.isASCIIDigit else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    /// `12:34:56` or `12:34`, in seconds.
    private static func clock(_ word: Substring.UTF8View) -> Int? {
        let parts = word.split(separator: 0x3A, omittingEmptySubsequences: false).map(number)
        guard (2...3).contains(parts.count), let hours = parts[0], let minutes = parts[1],
            hours < 24, minutes < 60
        else { return nil }
        guard parts.count == 3 else { return hours * 3600 + minutes * 60 }
        guard let seconds = parts[2], seconds <= 60 else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    /// `+0130`, in seconds.
    private static func offset(_ word: Substring.UTF8View) -> Int? {
        guard word.count == 5, let value = number(word.dropFirst()) else { return nil }
        let seconds = value / 100 * 3600 + value % 100 * 60
        return word.first == 0x2D ? -seconds : seconds
    }

    /// Days since 1970 in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // The year starts in March, so that the leap day is its last.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Substring.UTF8View {
    fileprivate var lowercased: String {
        String(streamSafe: map(\.asciiLowercased))
    }
}
