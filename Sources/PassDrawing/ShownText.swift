/// A text of a stranger's as far as a card has room for it: one line, without what would lead the eye
/// elsewhere.
struct ShownText: Sendable, Hashable {
    let text: String

    /// In Unicode scalars, where one line is all there is room for.
    static let limit = 400

    init(_ text: String, limit: Int = ShownText.limit) {
        var shown = String.UnicodeScalarView()
        var isSpace = true
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                // A no-break space holds a number and its unit together.
                if !isSpace { shown.append(scalar == "\u{A0}" ? scalar : " ") }
                isSpace = true
            case .format where ShownText.turnsTextAround(scalar): break
            default:
                // ICU sets narrow spaces that few fonts have: these are spaces, and taken above.
                shown.append(scalar)
                isSpace = false
            }
        }
        while shown.last == " " || shown.last == "\u{A0}" { shown.removeLast() }
        self.text = String(shown)
    }

    var isEmpty: Bool { text.isEmpty }

    /// Embeddings, overrides and isolates.
    private static func turnsTextAround(_ scalar: Unicode.Scalar) -> Bool {
        "\u{202A}"..."\u{202E}" ~= scalar || "\u{2066}"..."\u{2069}" ~= scalar
    }
}
