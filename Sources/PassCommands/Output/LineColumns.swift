internal import PassPresentation

/// The widths of the columns of a result line on a terminal: the name, and others beside it. All
/// lines of a run have the same widths, so that the columns are aligned.
struct LineColumns: Sendable {
    /// A column beside the name.
    struct Column: Sendable {
        /// From the least useful width to that of the longest text; zero for no text.
        let widths: ClosedRange<Int>
        /// The width that the name keeps at least; otherwise the column is left out.
        let nameWidth: Int
    }

    static let gap = "  "

    let name: Int
    /// In the order of the given columns; zero for those left out.
    let others: [Int]

    /// - Parameters:
    ///   - room: The width of the line.
    ///   - longestName: The width of the longest name.
    ///   - columns: The columns beside the name, the most important first.
    init(room: Int, longestName: Int, beside columns: [Column]) {
        var left = room
        var others = columns.map { column in
            let width = column.widths.lowerBound + LineColumns.gap.count
            guard column.widths.upperBound > 0,
                left - width >= min(column.nameWidth, longestName)
            else { return 0 }
            left -= width
            return column.widths.lowerBound
        }
        name = max(min(left, longestName), 1)
        left -= name
        for (index, column) in columns.enumerated() where others[index] > 0 && left > 0 {
            let more = min(left, column.widths.upperBound - others[index])
            others[index] += more
            left -= more
        }
        self.others = others
    }
}

extension Terminal {
    /// The width of result lines. Some terminals wrap when the last column is written, so it stays
    /// free.
    var lineWidth: Int { max(width, 40) - 1 }

    /// What replaces the rest of a cut text.
    var ellipsis: String { hasSymbols ? "\u{2026}" : "..." }

    /// The cells of a line, each cut or padded to its width. Cells of columns left out, whose width
    /// is zero, are dropped.
    func line(_ cells: [(text: String, width: Int)]) -> String {
        let cells = cells.filter { $0.width > 0 }.map { cell in
            padded(shortened(cell.text, to: cell.width, ellipsis), to: cell.width)
        }
        return withoutSpacesAtEnd(cells.joined(separator: LineColumns.gap))
    }

    /// Rows aligned in columns. On a terminal, texts in the last column are broken between words.
    func table(_ rows: [[String]]) -> [String] {
        guard isTerminal else { return aligned(rows) }
        let leads = aligned(rows.map { $0.dropLast() + [""] })
        return zip(rows, leads).flatMap { row, lead in
            let room = max(lineWidth - columns(lead), 20)
            let below = String(repeating: " ", count: columns(lead))
            return wrapped(row.last ?? "", to: room).enumerated().map { index, piece in
                withoutSpacesAtEnd((index == 0 ? lead : below) + piece)
            }
        }
    }

    /// An escaped text in a few indented lines, for below a result line.
    func indented(_ text: String) -> [String] {
        let (indentation, limit) = ("    ", 3)
        let width = lineWidth - indentation.count
        var pieces = cut(text, to: width)
        if pieces.count > limit {
            let last = pieces[limit - 1] + " " + pieces[limit]
            pieces = pieces.prefix(limit - 1) + [shortened(last, to: width, ellipsis)]
        }
        return pieces.map { indentation + $0 }
    }
}
