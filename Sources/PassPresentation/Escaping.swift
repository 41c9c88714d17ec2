extension StringProtocol {
    /// The text of a stranger as it may be printed: what steers a terminal, turns the direction of
    /// writing or is not to be seen at all is shown as `\u{1B}`.
    ///
    /// These are the control characters (C0, DEL, C1), the format characters (bidirectional,
    /// zero-width, tags) and the separators of lines and paragraphs, by their Unicode category, so
    /// that the list grows with Unicode.
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
    // The joiners are letters' business: Persian and joined emoji are not readable without them.
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}
