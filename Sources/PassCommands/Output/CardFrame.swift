internal import PassPresentation

/// Paints the lines of a card: in its colours, or with a frame if the terminal has too few.
struct CardFrame {
    let terminal: Terminal
    let colours: CardColours
    /// In terminal columns, including margins.
    let width: Int

    /// Columns for text.
    var room: Int { width - 4 }

    /// Columns for a barcode, which includes its own margin.
    var roomForCode: Int { width - 2 }

    private var isFilled: Bool { terminal.colours == .indexed || terminal.colours == .direct }

    func around(_ sections: [[CardLine]]) -> [String] {
        let space = [CardLine()]
        let lines = sections.filter { !$0.isEmpty }.joined(separator: space)
        if isFilled { return (space + lines + space).map(written) }
        let rule = String(repeating: "─", count: width - 2)
        return ["╭\(rule)╮"] + lines.map(written) + ["╰\(rule)╯"]
    }

    private func written(_ line: CardLine) -> String {
        let isCode = line.pieces.contains { $0.role == .code }
        let room = isCode ? roomForCode : room
        let margin = isCode ? "" : " "
        let before = isCode ? line.centred(in: room) : line
        let after = String(repeating: " ", count: max(room - before.columns, 0))
        let text = before.pieces.map { paint($0.text, $0.role) }.joined()
        let edge = isFilled ? " " : "│"
        return paint(edge + margin, .value) + text + paint(after + margin + edge, .value)
    }

    private func paint(_ text: String, _ role: CardLine.Role) -> String {
        switch role {
        case _ where text.isEmpty: ""
        case .code: terminal.paint(text, CardColours.code)
        case .value: isFilled ? terminal.paint(text, colours.value) : text
        case .primary:
            isFilled ? terminal.paint(text, colours.primary) : terminal.paint(text, .bold)
        case .caption:
            isFilled ? terminal.paint(text, colours.caption) : terminal.paint(text, .faint)
        }
    }
}
