extension StringProtocol {
    /// The text, safe to print: characters that control a terminal, change the writing direction or
    /// are invisible are shown as `\u{1B}`.
    ///
    /// These are the control characters (C0, DEL, C1), the format characters (bidirectional,
    /// zero-width), the line and paragraph separators, and the default ignorable code points, such
    /// as the Hangul fillers. They are found by their Unicode properties, which covers future
    /// additions. What belongs to an emoji, an ideograph or a Mongolian letter is left alone.
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
        let scalars = Array(unicodeScalars)
        var text = ""
        var endOfFlag = 0
        for (index, scalar) in scalars.enumerated() {
            if scalar == blackFlag { endOfFlag = end(ofFlagAt: index, scalars) }
            if index >= endOfFlag, isUnprintable(scalar), !isSelector(at: index, scalars) {
                text += escape(scalar)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

private func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    // Persian and joined emoji are unreadable without the joiners. A blank Braille pattern is no
    // ignorable code point, but as invisible.
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    if scalar == "\u{2800}" || scalar.properties.isDefaultIgnorableCodePoint { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}

/// Whether the scalar selects a form of the one before it, and that one has such forms.
private func isSelector(at index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    guard index > 0 else { return false }
    let base = scalars[index - 1]
    switch scalars[index].value {
    // Text and emoji. Of a digit, `*` and `#` only in a keycap (UTS #51, ED-14b, ED-20).
    case 0xFE0E, 0xFE0F:
        let isKeycap = index + 1 < scalars.count && scalars[index + 1] == "\u{20E3}"
        return base.properties.isEmoji && (!base.isASCII || isKeycap)
    // Forms of ideographs, as in Japanese names (UTS #37).
    case 0xFE00...0xFE02, 0xE0100...0xE01EF: return base.properties.isIdeographic
    case 0x180B...0x180D, 0x180F: return (0x1820...0x18AA).contains(base.value)
    default: return false
    }
}

private let blackFlag: Unicode.Scalar = "\u{1F3F4}"

/// The end of a flag such as that of England: the black flag, the code of a region in tags, and a
/// final tag (UTS #51, ED-14a and B.3). The index of the black flag if it stands alone.
private func end(ofFlagAt start: Int, _ scalars: [Unicode.Scalar]) -> Int {
    let tags = scalars[(start + 1)...].prefix(7).prefix { isTag($0) }
    guard (3...6).contains(tags.count), tags.endIndex < scalars.count,
        scalars[tags.endIndex] == "\u{E007F}"
    else { return start }
    return tags.endIndex + 1
}

/// Whether it is the tag of a small letter or digit.
private func isTag(_ scalar: Unicode.Scalar) -> Bool {
    (0xE0030...0xE0039).contains(scalar.value) || (0xE0061...0xE007A).contains(scalar.value)
}
