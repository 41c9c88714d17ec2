/// Tracks whether a field value is incomplete: it ends in a separator, or within quotes or an
/// encoded word.
struct OpenValue: Sendable {
    private var isInQuotes = false
    private var isInWord = false
    private var isEscaped = false
    private var last: UInt8 = 0
    private var previous: UInt8 = 0

    var isOpen: Bool {
        isInQuotes || isInWord || last == UInt8(ascii: ";") || last == UInt8(ascii: "=")
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            if previous == UInt8(ascii: "="), byte == UInt8(ascii: "?") {
                isInWord = true
            } else if previous == UInt8(ascii: "?"), byte == UInt8(ascii: "=") {
                isInWord = false
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInQuotes
            } else if byte == UInt8(ascii: "\"") {
                isInQuotes.toggle()
            }
            previous = byte
            if byte > 0x20 { last = byte }
        }
    }
}
