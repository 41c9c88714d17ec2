import Bytes

/// Decodes text in a named character set.
package enum Charset {
    /// Decodes bytes. VIOLATIONS.md, M84: an unknown set is read as UTF-8 or, failing that,
    /// windows-1252.
    package static func decode(_ bytes: [UInt8], _ name: String) -> String {
        guard let known = CharsetLabel.table(for: name, bytes) else { return guess(bytes) }
        let text = convert(bytes, from: known) ?? guess(bytes)
        // Each of several encoded words may begin with its own byte order mark.
        return known.hasPrefix("UTF-16") ? text.filter { $0 != "\u{FEFF}" }.streamSafe : text
    }

    /// Whether there is a table for a set.
    package static func isKnown(_ name: String) -> Bool {
        guard let known = CharsetLabel.table(for: name, []) else { return true }
        return convert([UInt8(ascii: "A")], from: known).map { $0 != "\u{FFFD}" } ?? false
    }

    /// Decodes bytes without a declared set: as UTF-8 if valid, else windows-1252
    /// (VIOLATIONS.md, M9).
    package static func guess(_ bytes: [UInt8]) -> String {
        // An escape sequence of ISO-2022-JP, whose other bytes are ASCII (VIOLATIONS.md, M10).
        if let escape = bytes.span.firstIndex(of: 0x1B, in: 0..<bytes.count),
            bytes.span.hasPrefix("$", at: escape + 1),
            let text = convert(bytes, from: "ISO-2022-JP")
        {
            return text
        }
        return String(validatingStreamSafe: bytes) ?? Windows1252.text(bytes)
    }

    /// Fallback for a set without an installed table: bytes that are ASCII in most sets are kept,
    /// everything else becomes one U+FFFD.
    private static func withoutTable(_ bytes: [UInt8]) -> String {
        // These characters start an escape in UTF-7, IMAP's modified UTF-7 and HZ.
        let isASCII = bytes.allSatisfy {
            $0 >= 0x20 && $0 < UInt8(ascii: "~") && $0 != UInt8(ascii: "+")
                && $0 != UInt8(ascii: "&")
        }
        return isASCII ? String(streamSafe: bytes) : "\u{FFFD}"
    }

    /// Converts with iconv; invalid bytes become U+FFFD. Nil for an unknown set.
    private static func convert(_ bytes: [UInt8], from name: String) -> String? {
        if name == "WINDOWS-1252" || name == "CP1252" { return Windows1252.text(bytes) }
        do throws(CharsetConverter.Failure) {
            let converter = try CharsetConverter(from: name, to: "UTF-8")
            let text = converter.convert(bytes, replacement: [0xEF, 0xBF, 0xBD]) ?? []
            return String(streamSafe: text)
        } catch {
            switch error {
            case .unknownSet: return nil
            case .noTable: return withoutTable(bytes)
            }
        }
    }
}
