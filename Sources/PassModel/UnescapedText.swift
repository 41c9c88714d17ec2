internal import Bytes

/// Builds a string from UTF-8 bytes and UTF-16 escapes.
struct UnescapedText {
    private var utf8: [UInt8] = []
    private var highSurrogate: UInt16?
    /// Whether a lone surrogate was replaced by U+FFFD.
    private(set) var hadLoneSurrogate = false
    /// Whether a long run of combining marks was broken.
    private(set) var hadLongRun = false

    mutating func append(_ byte: UInt8) {
        replaceLoneSurrogate()
        utf8.append(byte)
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        replaceLoneSurrogate()
        utf8.append(contentsOf: bytes)
    }

    mutating func append(unit: UInt16) {
        if UTF16.isLeadSurrogate(unit) {
            replaceLoneSurrogate()
            highSurrogate = unit
        } else if UTF16.isTrailSurrogate(unit), let high = highSurrogate {
            highSurrogate = nil
            append(String(streamSafe: [high, unit]))
        } else {
            replaceLoneSurrogate()
            hadLoneSurrogate = hadLoneSurrogate || UTF16.isTrailSurrogate(unit)
            append(String(streamSafe: [unit]))
        }
    }

    /// The string, and whether all bytes were valid UTF-8. Invalid bytes become U+FFFD.
    mutating func finish() -> (text: String, isValid: Bool) {
        replaceLoneSurrogate()
        hadLongRun = StreamSafeText.hasLongRun(utf8.span)
        if let text = String(validatingStreamSafe: utf8) { return (text, true) }
        return (String(streamSafe: utf8), false)
    }

    private mutating func append(_ text: String) {
        utf8.append(contentsOf: text.utf8)
    }

    private mutating func replaceLoneSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        hadLoneSurrogate = true
        append("\u{FFFD}")
    }
}

/// The value of a hexadecimal digit.
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
