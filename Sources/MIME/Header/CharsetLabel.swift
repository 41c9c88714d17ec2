import Bytes

/// Maps the charset names that mailers use to iconv tables. VIOLATIONS.md, M85: as in the WHATWG
/// Encoding Standard, a name stands for the Windows superset of the set.
enum CharsetLabel {
    /// The iconv name of the table; nil if the charset must be guessed from the bytes.
    static func table(for name: String, _ bytes: [UInt8]) -> String? {
        let name = name.asciiLowercased
        switch name {
        case "", "us-ascii", "ascii", "utf-8", "utf8", "utf8mb4", "utf_8": return nil
        case "iso-8859-1", "latin1", "latin-1", "iso8859-1", "iso_8859-1": return "WINDOWS-1252"
        case "ks_c_5601-1987", "ks_c_5601", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean",
            "euc-kr", "euckr", "x-windows-949":
            return "CP949"
        case "gb2312", "gb_2312-80", "gb2312-80", "csgb2312", "gbk", "x-gbk", "chinese", "euc-cn",
            "cn-gb":
            return "GB18030"
        case "big5", "cn-big5", "csbig5", "x-x-big5": return "BIG5-HKSCS"
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "csshiftjis":
            return "CP932"
        case "cp50220", "cp50221", "csiso2022jp": return "ISO-2022-JP"
        case "x-mac-roman", "mac", "mac-roman": return "MACINTOSH"
        case "x-mac-cyrillic": return "MAC-CYRILLIC"
        case "iso-8859-8-i", "iso-8859-8-e": return "ISO-8859-8"
        case "unicode-1-1-utf-7", "x-unicode-2-0-utf-7", "utf7": return "UTF-7"
        case "utf-16", "utf16", "utf_16", "ucs-2", "iso-10646-ucs-2", "unicode":
            return utf16(bytes)
        default: return windows(name) ?? name
        }
    }

    /// RFC 2781, 4.3: without a byte order mark the bytes are big-endian. VIOLATIONS.md, M104: the
    /// zero bytes of ASCII reveal little-endian.
    private static func utf16(_ bytes: [UInt8]) -> String {
        if ByteOrderMark(bytes)?.isUTF16 == true { return "UTF-16" }
        let zeros = bytes.indices.lazy.filter { bytes[$0] == 0 }
        return zeros.count { $0 & 1 == 1 } > zeros.count { $0 & 1 == 0 } ? "UTF-16LE" : "UTF-16BE"
    }

    /// `cp-1252`, `win-1251`, `x-cp1250`.
    private static func windows(_ name: String) -> String? {
        let digits = name.utf8.suffix(4)
        guard digits.starts(with: "125".utf8), holds(name, "win") || holds(name, "cp") else {
            return nil
        }
        return "CP\(String(streamSafe: digits))"
    }

    /// Whether a name contains a word. String's own `contains` links the regular expression parser
    /// into the program.
    static func holds(_ name: String, _ word: StaticString) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.indices.contains { bytes.span.hasPrefix(word, at: $0) }
    }
}
