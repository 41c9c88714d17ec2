import Glibc

extension HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; nil before 1900 and after 9999.
    package var text: String? {
        guard (-2_208_988_800..<253_402_300_800).contains(seconds) else { return nil }
        var time = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&time, &parts) != nil else { return nil }
        let weekday = HTTPDate.weekdays[Int(unsafe parts.tm_wday)]
        let month = HTTPDate.months[Int(unsafe parts.tm_mon)]
        let day = digits(unsafe parts.tm_mday, 2)
        let year = digits(unsafe parts.tm_year + 1900, 4)
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }
        return "\(weekday), \(day) \(month) \(year) \(clock.joined(separator: ":")) GMT"
    }
}

private func digits(_ number: CInt, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(count - text.count, 0)) + text
}
