/// Untrusted text prepared for display on a card: one line, of limited length, without directional
/// controls.
struct ShownText: Sendable, Hashable {
    let text: String

    /// In Unicode scalars, for a single line.
    static let limit = 400

    init(_ text: String, limit: Int = ShownText.limit) {
        var shown = String.UnicodeScalarView()
        var isSpace = true
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                // A no-break space keeps a number and its unit together.
                if !isSpace { shown.append(scalar == "\u{A0}" ? scalar : " ") }
                isSpace = true
            case .format where ShownText.turnsTextAround(scalar): break
            default:
                // ICU inserts narrow spaces, which few fonts contain; they are replaced above.
                shown.append(scalar)
                isSpace = false
            }
        }
        while shown.last == " " || shown.last == "\u{A0}" { shown.removeLast() }
        self.text = String(shown)
    }

    var isEmpty: Bool { text.isEmpty }

    /// Whether it is a directional embedding, override or isolate.
    private static func turnsTextAround(_ scalar: Unicode.Scalar) -> Bool {
        "\u{202A}"..."\u{202E}" ~= scalar || "\u{2066}"..."\u{2069}" ~= scalar
    }
}
