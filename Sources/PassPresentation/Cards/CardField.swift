internal import PassModel

/// A field on a card: its label, and below it as much of its value as fits.
struct CardField {
    let field: Field
    let label: String
    let values: [String]
    /// Whether the whole value is shown.
    let isWhole: Bool

    /// Maximum number of lines of a value.
    static let linesOfValue = 3

    init(_ field: Field, for displayLocale: DisplayLocale, width: Int) {
        self.field = field
        label = shortened(inOneLine(field.label ?? "").escaped, to: width, "...")
        let text = field.shownText(
            locale: displayLocale.locale, timeZone: displayLocale.timeZone, now: displayLocale.now)
        (values, isWhole) = fitted(text, width: width, lines: CardField.linesOfValue)
    }

    /// In terminal columns.
    var width: Int { ([label] + values).map(columns).max() ?? 0 }

    /// Whether the pass aligns the field other than to the left.
    var isMoved: Bool { side(otherwise: .left) != .left }

    /// - Parameter side: The alignment if the pass sets none.
    package func column(
        width: Int, _ role: CardLine.Role = .value, side: CardColumn.Side = .left
    ) -> CardColumn {
        CardColumn(
            lines: [CardLine(label, .caption)] + values.map { CardLine($0, role) }, width: width,
            side: self.side(otherwise: side))
    }

    private func side(otherwise usual: CardColumn.Side) -> CardColumn.Side {
        switch field.textAlignment {
        case .left: .left
        case .center: .middle
        case .right: .right
        case .natural, nil: usual
        }
    }
}

/// Wraps untrusted text to a width, up to a number of lines. `isWhole` is false if text was left
/// out.
package func fitted(_ text: String, width: Int, lines limit: Int) -> (
    lines: [String], isWhole: Bool
) {
    // A text may be as long as the pass, so examine only the part that could fit.
    let most = width * (limit + 1) * scalarsInColumn
    let beginning = text.unicodeScalars.prefix(most)
    var isWhole = beginning.endIndex == text.endIndex
    var lines = String(beginning).split(whereSeparator: \.isNewline)
        .flatMap { wrapped(inOneLine(String($0)).escaped, to: width) }.flatMap { pieces($0, width) }
    if lines.count > limit {
        lines = Array(lines.prefix(limit))
        isWhole = false
    }
    if !isWhole, let last = lines.popLast() { lines.append(clipped(last, to: width - 3) + "...") }
    return (lines, isWhole)
}

/// Splits a text without spaces into segments of at most `width` columns.
private func pieces(_ text: String, _ width: Int) -> [String] {
    var rest = text.unicodeScalars[...]
    var pieces: [String] = []
    while !rest.isEmpty {
        let piece = clipped(String(rest.prefix(width * scalarsInColumn)), to: width)
        // A character wider than the width gets a line of its own.
        rest = rest.dropFirst(max(piece.unicodeScalars.count, 1))
        pieces.append(piece)
    }
    return pieces.isEmpty ? [""] : pieces
}
