internal import PassPresentation

/// Separates untrusted text from the program's own. Each line begins with a margin and is short
/// enough not to wrap, so that a text saying "Verdict: trusted" cannot be mistaken for the verdict.
struct Margin {
    let terminal: Terminal

    private static let mark = "  | "

    /// Columns left for text.
    var width: Int { max(terminal.width - Margin.mark.count, 8) }

    /// Puts escaped lines, which may contain our colours, behind the margin; at most `limit` lines
    /// of output.
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
