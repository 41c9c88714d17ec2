/// windows-1252: the charset of most mail that declares none or ISO 8859-1, which the WHATWG
/// Encoding Standard treats as the same.
enum Windows1252 {
    static func text(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let unit = (0x80..<0xA0).contains(byte) ? marks[Int(byte) - 0x80] : UInt16(byte)
            text.append(Unicode.Scalar(unit) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// The characters in place of the C1 controls of ISO 8859-1; five are undefined.
    private static let marks: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
        0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
