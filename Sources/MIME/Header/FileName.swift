import Bytes

extension PartHeader {
    /// A file name as shown to people. VIOLATIONS.md, M103: without folders, invisible characters,
    /// and the trailing punctuation that Windows drops or that ended the header field. M32: without
    /// other marks used as quotes.
    package static func fileName(_ text: String) -> String? {
        // Comparing UTF-8 bytes is safe: no character contains the bytes of another.
        var name = Array(text.utf8)[...]
        while let count = edge(atEndOf: name) { name.removeLast(count) }
        if let slash = name.lastIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        ) {
            name = name[(slash + 1)...]
        }
        while let count = edge(atStartOf: name) { name.removeFirst(count) }
        if name.contains(0) { name.removeAll { $0 == 0 } }
        return name.isEmpty ? nil : String(streamSafe: name)
    }

    private static func edge(atStartOf name: ArraySlice<UInt8>) -> Int? {
        guard let first = name.first else { return nil }
        if isEdge(first) { return 1 }
        guard first >= 0x80 else { return nil }
        return marks.first { name.starts(with: $0) }?.count
    }

    private static func edge(atEndOf name: ArraySlice<UInt8>) -> Int? {
        guard let last = name.last else { return nil }
        switch last {
        case UInt8(ascii: "."), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\\"): return 1
        default: if isEdge(last) { return 1 }
        }
        guard last >= 0x80 else { return nil }
        return marks.first { name.suffix($0.count) == $0[...] }?.count
    }

    private static func isEdge(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "`"):
            true
        default: false
        }
    }

    /// Typographic quotation marks, and invisible characters: no-break spaces, directional marks, a
    /// byte order mark.
    private static let marks: [[UInt8]] = [
        "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{201A}", "\u{AB}", "\u{BB}",
        "\u{A0}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{202A}",
        "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
        "\u{2069}", "\u{FEFF}",
    ].map { Array($0.utf8) }
}
