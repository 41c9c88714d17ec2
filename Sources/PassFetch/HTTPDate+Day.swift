import Fetching
import Glibc

extension HTTPDate {
    /// The day for display, in UTC.
    var day: String {
        var time = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&time, &parts) != nil else { return "an unknown day" }
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        let month = Int(unsafe parts.tm_mon)
        guard months.indices.contains(month) else { return "an unknown day" }
        return unsafe "\(parts.tm_mday) \(months[month]) \(Int(parts.tm_year) + 1900)"
    }
}
