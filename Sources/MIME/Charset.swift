import Bytes
import Glibc

/// Turns the bytes of a named character set into text.
package enum Charset {
    /// Bytes as text; a set that nobody knows is read as UTF-8 or, failing that, windows-1252.
    package static func decode(_ bytes: [UInt8], _ name: String) -> String {
        guard let known = CharsetLabel.table(for: name, bytes) else { return guess(bytes) }
        let text = convert(bytes, from: known) ?? guess(bytes)
        // Each of several encoded words may begin with a mark of its own.
        return known.hasPrefix("UTF-16") ? text.filter { $0 != "\u{FEFF}" }.streamSafe : text
    }

    /// Bytes without a declared set: UTF-8 where they are valid in it, else what Windows wrote.
    package static func guess(_ bytes: [UInt8]) -> String {
        // An escape sequence of ISO-2022-JP, which is ASCII otherwise.
        if let escape = bytes.span.firstIndex(of: 0x1B, in: 0..<bytes.count),
            bytes.span.hasPrefix("$", at: escape + 1),
            let text = convert(bytes, from: "ISO-2022-JP")
        {
            return text
        }
        return String(validatingStreamSafe: bytes) ?? Windows1252.text(bytes)
    }

    /// What to take for bytes of a set whose table cannot be had: what is ASCII in most sets, and nearly
    /// the same in the others, is itself, and all else one character that says that it is unknown.
    private static func withoutTable(_ bytes: [UInt8]) -> String {
        // Behind one of these, UTF-7, its kin for IMAP and HZ write what is not ASCII.
        let isASCII = bytes.allSatisfy {
            $0 >= 0x20 && $0 < UInt8(ascii: "~") && $0 != UInt8(ascii: "+")
                && $0 != UInt8(ascii: "&")
        }
        return isASCII ? String(streamSafe: bytes) : "\u{FFFD}"
    }

    /// Converts through the system's tables; a byte that a set does not know becomes U+FFFD. Nil for a
    /// set that nobody knows.
    private static func convert(_ bytes: [UInt8], from name: String) -> String? {
        if name == "WINDOWS-1252" || name == "CP1252" { return Windows1252.text(bytes) }
        // iconv reads options behind a slash, and a name from a stranger gives none.
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
