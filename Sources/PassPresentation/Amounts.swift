internal import Localization

/// A size in bytes with at most three digits: `830 MB`, `1.2 GB`.
package func bytesInWords(_ bytes: Int) -> String {
    var amount = Double(max(bytes, 0))
    var unit = "bytes"
    for larger in ["kB", "MB", "GB", "TB", "PB"] where amount >= 999.5 {
        amount /= 1000
        unit = larger
    }
    if unit == "bytes" { return bytes == 1 ? "1 byte" : "\(max(bytes, 0)) bytes" }
    let tenths = (amount * 10).rounded() / 10
    return tenths < 10 ? "\(tenths) \(unit)" : "\(Int(amount.rounded())) \(unit)"
}

/// Like ``bytesInWords(_:)``, in the reader's language. Records and stored text use English.
package func bytesForReader(_ bytes: Int) -> String {
    let words = bytesInWords(bytes).split(separator: " ").map(String.init)
    guard words.count == 2, words[1].count == 2 else {
        let count = max(bytes, 0)
        return counted("{count} byte", "{count} bytes", count)
    }
    // The decimal separator.
    let amount = words[0].replacing(".", with: localized("."))
    let unit =
        switch words[1] {
        case "kB": localized("kB")
        case "MB": localized("MB")
        case "GB": localized("GB")
        case "TB": localized("TB")
        default: localized("PB")
        }
    return "\(amount) \(unit)"
}

/// A duration in seconds as a clock shows it: `0:07`, `12:30`, `1:02:03`.
package func clock(_ seconds: Double) -> String {
    // Clamp infinity and estimates above 99:59:59.
    let total = Int(min(max(seconds, 0), 359_999).rounded())
    let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}

/// `1 pass`, `2 passes`. The forms contain the number as `{count}`.
package func counted(_ one: String, _ many: String, _ count: Int) -> String {
    counted(one, many, count, ["count": grouped(count)])
}

/// `1,234,567`, with the separator of the reader's language.
package func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
        // The thousands separator.
        if index > 0, index.isMultiple(of: 3) { text += localized(",") }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
}
