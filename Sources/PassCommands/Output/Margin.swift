internal import PassPresentation

/// Keeps the text of a stranger apart from what the program says: each line of it stands behind a
/// margin, and none is so long that a terminal would go on with it where the program's own lines
/// begin. A text that says "Verdict: trusted" cannot pass for the verdict.
struct Margin {
    let terminal: Terminal

    private static let mark = "  | "

    /// How much room is left.
    var width: Int { max(terminal.width - Margin.mark.count, 8) }

    /// Escaped lines, which may hold our colours; of what they take, no more lines than a limit.
    func around(_ lines: [String], limit: Int) -> [String] {
        let pieces = lines.flatMap { line in
            let plain = withoutColours(line)
            let pieces = cut(plain, to: width)
            return pieces == [plain] ? [line] : pieces
        }
        let more = pieces.count - limit
        let rest =
            more > 0
            ? [counted("... and {count} more line", "... and {count} more lines", more)] : []
        return (pieces.prefix(limit) + rest).map { terminal.paint(Margin.mark, .faint) + $0 }
    }
}

/// A label, as wide as the widest of them, and an escaped text in as many lines beside it as it needs.
func fact(_ label: String, _ text: String, width: Int, labels: Int) -> [String] {
    cut(text, to: max(width - labels - 4, 8)).enumerated().map { index, piece in
        "  " + padded(index == 0 ? label : "", to: labels) + "  " + piece
    }
}
