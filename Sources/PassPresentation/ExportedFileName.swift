/// A file name made of a serial number, which may contain anything: characters other than letters,
/// digits, dots and hyphens become hyphens. The name is never hidden and contains no slash.
package func fileName(_ serialNumber: String) -> String {
    let safe = serialNumber.unicodeScalars.prefix(100).map { scalar -> Character in
        let isSafe = scalar.isASCII && scalar.properties.isAlphabetic || "0"..."9" ~= scalar
        return isSafe || scalar == "." || scalar == "_" ? Character(scalar) : "-"
    }
    let name = String(String(safe).drop { $0 == "." || $0 == "-" })
    return (name.isEmpty ? "pass" : name) + ".pkpass"
}

/// A file name made of the name of a pass, such as `Nimbus-Air-LIS-GRU.pkpass`: its letters and digits,
/// with hyphens for everything between them.
///
/// - Parameter mark: Put at the end.
package func fileName(named name: String, mark: String = "") -> String {
    // File systems allow 255 bytes, and a number may follow.
    let longest = 200
    var words = ""
    for scalar in name.unicodeScalars where words.utf8.count < longest {
        if scalar.isPartOfWord {
            words.unicodeScalars.append(scalar)
        } else if !words.isEmpty, !words.hasSuffix("-") {
            words += "-"
        }
    }
    if words.hasSuffix("-") { words.removeLast() }
    return (words.isEmpty ? "pass" : words) + mark + ".pkpass"
}

extension Unicode.Scalar {
    /// Whether it is a visible letter, digit or mark.
    fileprivate var isPartOfWord: Bool {
        let isMark = [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
        return (properties.isAlphabetic || properties.numericType != nil || isMark)
            && !properties.isDefaultIgnorableCodePoint
    }
}
