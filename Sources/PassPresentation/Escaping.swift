extension StringProtocol {
    /// The text, safe to print: characters that control a terminal, change the writing direction or
    /// are invisible are shown as `\u{1B}`.
    ///
    /// These are the control characters (C0, DEL, C1), the format characters (bidirectional,
    /// zero-width, tags), and the line and paragraph separators. They are found by their Unicode
    /// category, which covers future additions.
    ///
    /// For example: `print(displayLocale.headline(pass).escaped)`
    public var escaped: String {
        replacingUnprintable { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
    }

    /// A line of JSON with the same meaning, safe to print: the same characters are shown as
    /// `\u001b`, and above U+FFFF as a surrogate pair (RFC 8259, 7).
    package var escapedInJSON: String {
        replacingUnprintable { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    private func replacingUnprintable(by escape: (Unicode.Scalar) -> String) -> String {
        if unicodeScalars.allSatisfy({ !isUnprintable($0) }) { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            if isUnprintable(scalar) {
                text += escape(scalar)
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
