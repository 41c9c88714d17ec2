/// Keeps the text of a stranger apart from what the program says: each line of it stands behind a
/// margin, and none is so long that a terminal would go on with it where the program's own lines
/// begin. A text that says "Verdict: trusted" cannot pass for the verdict.
struct Margin {
    let terminal: Terminal

    private static let mark = "  | "

    /// How much room is left.
    var width: Int { max(terminal.width - Margin.mark.count, 8) }

    /// Escaped lines, which may hold our colours.
    func around(_ lines: [String]) -> [String] {
        lines.flatMap { line in
            let plain = withoutColours(line)
            let pieces = cut(plain, to: width)
            return pieces == [plain] ? [line] : pieces
        }
        .map { terminal.paint(Margin.mark, .faint) + $0 }
    }
}

/// A text in pieces that surely fit: wrapped at spaces where there are any, cut where there are none.
/// What terminals disagree about, from Hangul to pictures, counts as wide.
func cut(_ text: String, to width: Int) -> [String] {
    wrapped(text, to: width).flatMap { line -> [String] in
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        var taken = 0
        for scalar in line.unicodeScalars {
            let room = scalar.value < 0x1100 ? columns(String(scalar)) : 2
            if taken + room > width, !piece.isEmpty {
                pieces.append(String(piece))
                piece = String.UnicodeScalarView()
                taken = 0
            }
            piece.append(scalar)
            taken += room
        }
        return pieces + [String(piece)]
    }
}

/// A label, and an escaped text in as many lines beside it as it needs.
func fact(_ label: String, _ text: String, width: Int) -> [String] {
    cut(text, to: max(width - 12, 8)).enumerated().map { index, piece in
        "  " + padded(index == 0 ? label : "", to: 8) + "  " + piece
    }
}
