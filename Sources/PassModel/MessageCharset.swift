internal import Bytes

/// Why a barcode's message is not encoded as declared.
package enum MessageCharsetError: Error {
    /// There is no such charset.
    case unknown
    /// The charset lacks characters of the message.
    case lacksCharacters
    /// This process cannot load the table of the charset.
    case noTable
}

/// The charset of a barcode's message: one that IANA has registered, by its name or an alias, in
/// any case.
enum MessageCharset {
    /// The text in a charset, exactly: a similar character is another message.
    static func bytes(of text: String, in name: String) throws(MessageCharsetError) -> [UInt8] {
        let name = name.asciiLowercased
        switch name {
        case "utf-8", "utf8", "csutf8", "unicode-1-1-utf-8": return Array(text.utf8)
        // Almost every pass. No table is loaded for it.
        case "us-ascii", "ascii":
            guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .lacksCharacters }
            return Array(text.utf8)
        case "iso-8859-1", "latin1", "latin-1":
            let octets = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            guard octets.count == text.unicodeScalars.count else { throw .lacksCharacters }
            return octets
        default: break
        }
        // The C library ignores other characters. Its encoder for ISO-2022-CN had defects, and no
        // scanner reads that set.
        guard !name.utf8.starts(with: "iso-2022-cn".utf8),
            !name.utf8.starts(with: "iso2022cn".utf8),
            name.utf8.allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || "-_.:()".utf8.contains($0)
            })
        else { throw .unknown }
        // VIOLATIONS.md, P26: an underscore for a hyphen.
        var failure = MessageCharsetError.unknown
        for name in [otherNames[name] ?? name, name.replacing("_", with: "-")] {
            do throws(CharsetConverter.Failure) {
                let encoder = try CharsetConverter(from: "UTF-8", to: name)
                let decoder = try CharsetConverter(from: name, to: "UTF-8")
                // Some sets write two characters alike, or leave characters out.
                if let octets = encoder.convert(Array(text.utf8), replacement: nil),
                    decoder.convert(octets, replacement: nil) == Array(text.utf8)
                {
                    return octets
                }
            } catch {
                if error == .noTable { failure = .noTable }
                continue
            }
            throw .lacksCharacters
        }
        throw failure
    }

    /// Names that the C library lacks, and its own names. The first is not registered.
    private static let otherNames = [
        "x-sjis": "shift_jis",
        "iso-8859-6-e": "iso-8859-6", "iso-8859-6-i": "iso-8859-6",
        "iso-8859-8-e": "iso-8859-8", "iso-8859-8-i": "iso-8859-8",
        "iso-10646-ucs-2": "ucs-2be", "iso-10646-ucs-4": "ucs-4be",
        "unicode-1-1-utf-7": "utf-7", "gb_2312-80": "gb2312",
        "ks_c_5601-1987": "euc-kr", "ks_c_5601-1989": "euc-kr", "ksc_5601": "euc-kr",
        "korean": "euc-kr", "ibm00858": "cp858", "cp00858": "cp858", "ccsid00858": "cp858",
        "extended_unix_code_packed_format_for_japanese": "euc-jp", "kz-1048": "rk1048",
        "strk1048-2002": "rk1048", "ptcp154": "pt154", "csptcp154": "pt154",
    ]
}
