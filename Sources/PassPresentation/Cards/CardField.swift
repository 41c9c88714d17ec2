internal import PassModel

/// A field on a card: its label, and below it as much of its value as there is room for.
struct CardField {
    let field: Field
    let label: String
    let values: [String]
    /// Whether that is all it says.
    let isWhole: Bool

    /// A value takes no more lines.
    static let linesOfValue = 3

    init(_ field: Field, for displayLocale: DisplayLocale, width: Int) {
        self.field = field
        label = clipped((field.label ?? "").escaped, to: width)
        let text = field.shownText(
            locale: displayLocale.locale, timeZone: displayLocale.timeZone, now: displayLocale.now)
        (values, isWhole) = fitted(text, width: width, lines: CardField.linesOfValue)
    }

    /// In columns.
    var width: Int { ([label] + values).map(columns).max() ?? 0 }

    /// Whether the pass wants it elsewhere than where a row begins.
    var isMoved: Bool { side(otherwise: .left) != .left }

    /// - Parameter side: Where it stands if the pass does not say.
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

/// A stranger's text in lines of a width, no more than there is room for, and whether that is all of it.
package func fitted(_ text: String, width: Int, lines limit: Int) -> (
    lines: [String], isWhole: Bool
) {
    // A text may be as long as a pass: what has no room is not looked at.
    let most = width * (limit + 1) * scalarsInColumn
    let beginning = text.unicodeScalars.prefix(most)
    var isWhole = beginning.endIndex == text.endIndex
    var lines = String(beginning).split(whereSeparator: \.isNewline)
        .flatMap { wrapped($0.escaped, to: width) }.flatMap { pieces($0, width) }
    if lines.count > limit {
        lines = Array(lines.prefix(limit))
        isWhole = false
    }
    if !isWhole, let last = lines.popLast() { lines.append(clipped(last, to: width - 3) + "...") }
    return (lines, isWhole)
}

/// A text without spaces, cut where it has to be.
private func pieces(_ text: String, _ width: Int) -> [String] {
    var rest = text.unicodeScalars[...]
    var pieces: [String] = []
    while !rest.isEmpty {
        let piece = clipped(String(rest.prefix(width * scalarsInColumn)), to: width)
        // What is wider than the width by itself goes on a line of its own.
        rest = rest.dropFirst(max(piece.unicodeScalars.count, 1))
        pieces.append(piece)
    }
    return pieces.isEmpty ? [""] : pieces
}
