extension StringProtocol {
    /// The text, safe to print: characters that control a terminal, change the writing direction or
    /// are invisible are shown as `\u{1B}`.
    ///
    /// These are the control characters (C0, DEL, C1), the format characters (bidirectional,
    /// zero-width, tags), and the line and paragraph separators. They are found by their Unicode
    /// category, which covers future additions.
    package var escaped: String {
        if unicodeScalars.allSatisfy({ !isUnprintable($0) }) { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            if isUnprintable(scalar) {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

private func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    // Persian and joined emoji are unreadable without the joiners.
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}
