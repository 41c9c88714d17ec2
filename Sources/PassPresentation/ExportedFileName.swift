/// A name for a file, made of a serial number, which may hold anything: what is no letter, digit,
/// point or hyphen becomes a hyphen, and the name cannot be hidden or lead elsewhere.
package func fileName(_ serialNumber: String) -> String {
    let safe = serialNumber.unicodeScalars.prefix(100).map { scalar -> Character in
        let isSafe = scalar.isASCII && scalar.properties.isAlphabetic || "0"..."9" ~= scalar
        return isSafe || scalar == "." || scalar == "_" ? Character(scalar) : "-"
    }
    let name = String(String(safe).drop { $0 == "." || $0 == "-" })
    return (name.isEmpty ? "pass" : name) + ".pkpass"
}
