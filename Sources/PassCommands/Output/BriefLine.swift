internal import PassImport
internal import PassModel
internal import PassVerification

/// The outcome of a pass in three words, for other programs: `added pass.com.example/123 trusted`.
///
/// The line is printable ASCII and fits into a mail header (RFC 5322, 2.1.1). Other characters in
/// the name are percent-encoded (RFC 3986, 2.1), and a long name is cut.
func briefLine(_ found: FoundPass) -> String {
    let name =
        found.verification.pass.map { pass in
            percentEncoded("\(pass.passTypeIdentifier)/\(pass.serialNumber)", limit: 900)
        } ?? "-"
    return "\(found.imported?.rawValue ?? "found") \(name) \(found.verification.verdict.rawValue)"
}

private func percentEncoded(_ text: String, limit: Int) -> String {
    var encoded = ""
    for byte in text.utf8 {
        guard encoded.utf8.count < limit else { return encoded + "..." }
        if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
            encoded.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
    }
    return encoded
}
