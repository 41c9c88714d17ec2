import Bytes
import Glibc

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
        // iconv reads options after a slash; untrusted names must not set any.
        guard name.utf8.count <= 64, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
        else { return nil }
        let converter = unsafe iconv_open("UTF-8", name)
        guard let converter = unsafe converter, Int(bitPattern: converter) != -1 else {
            return errno == EINVAL ? nil : withoutTable(bytes)
        }
        defer { _ = unsafe iconv_close(converter) }
        var source = bytes.map { CChar(bitPattern: $0) }
        var output: [UInt8] = []
        var chunk = [CChar](repeating: 0, count: 1024)
        unsafe source.withUnsafeMutableBufferPointer { input in
            var from = input.baseAddress
            var left = input.count
            while left > 0 {
                var result = 0 as Int
                var code: CInt = 0
                unsafe chunk.withUnsafeMutableBufferPointer { room in
                    var to = room.baseAddress
                    var space = room.count
                    result = unsafe Int(
                        truncatingIfNeeded: iconv(converter, &from, &left, &to, &space))
                    code = errno
                    for index in 0..<room.count - space {
                        output.append(UInt8(bitPattern: unsafe room[index]))
                    }
                }
                if result != -1 { break }
                if code == E2BIG { continue }
                output.append(contentsOf: [0xEF, 0xBF, 0xBD])
                if code != EILSEQ { break }
                unsafe from = from?.advanced(by: 1)
                left -= 1
            }
        }
        return String(streamSafe: output)
    }
}
