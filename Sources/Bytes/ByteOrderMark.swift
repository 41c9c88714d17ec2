/// U+FEFF at the beginning of a text, which shows the text's encoding.
package enum ByteOrderMark: Sendable {
    case utf8, utf16BigEndian, utf16LittleEndian

    /// Nil if there is no mark at `start`.
    package init?(_ text: Span<UInt8>, at start: Int = 0) {
        guard start >= 0, text.count - start >= 2 else { return nil }
        switch (text[start], text[start + 1]) {
        case (0xEF, 0xBB) where text.hasPrefix("\u{FEFF}", at: start): self = .utf8
        case (0xFE, 0xFF): self = .utf16BigEndian
        case (0xFF, 0xFE): self = .utf16LittleEndian
        default: return nil
        }
    }

    package init?(_ text: [UInt8]) {
        self.init(text.span)
    }

    package var bytes: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        }
    }

    package var isUTF16: Bool { self != .utf8 }

    /// The number of bytes of this mark at `start`: 0 if there is another one or none.
    package func length(in text: Span<UInt8>, at start: Int = 0) -> Int {
        ByteOrderMark(text, at: start) == self ? bytes.count : 0
    }
}
