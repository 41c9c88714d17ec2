/// A column of text on a card.
struct CardColumn {
    enum Side { case left, middle, right }

    var lines: [CardLine]
    var width: Int
    var side = Side.left

    /// Joins columns into lines, side by side.
    package static func beside(_ columns: [CardColumn], gap: Int = 0) -> [CardLine] {
        let height = columns.map(\.lines.count).max() ?? 0
        let space = CardLine.Piece(text: String(repeating: " ", count: gap), role: .value)
        return (0..<height).map { row in
            var line = CardLine()
            for (index, column) in columns.enumerated() {
                if index > 0 { line.pieces.append(space) }
                line.pieces += column.line(row).pieces
            }
            return line
        }
    }

    private func line(_ row: Int) -> CardLine {
        var line = row < lines.count ? lines[row] : CardLine()
        let room = max(width - line.columns, 0)
        let before =
            switch side {
            case .left: 0
            case .middle: room / 2
            case .right: room
            }
        func space(_ count: Int) -> CardLine.Piece {
            CardLine.Piece(text: String(repeating: " ", count: count), role: .value)
        }
        line.pieces.insert(space(before), at: 0)
        line.pieces.append(space(room - before))
        return line
    }
}
