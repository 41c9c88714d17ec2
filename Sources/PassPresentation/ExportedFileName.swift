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
