package import PassModel

/// Lays out the fields of the front of a pass.
package struct CardFront {
    package let localized: LocalizedPass
    package let displayLocale: DisplayLocale
    /// In terminal columns.
    package let room: Int
    package private(set) var leftOut: [Field] = []

    /// Maximum number of fields shown of a group.
    static let fieldsInGroup = 12

    package init(_ localized: LocalizedPass, for displayLocale: DisplayLocale, room: Int) {
        self.localized = localized
        self.displayLocale = displayLocale
        self.room = room
    }

    package mutating func sections() -> [[CardLine]] {
        let fields = localized.fields
        var sections = [header(fields.header)]
        sections.append(
            localized.pass.style == .boardingPass && fields.primary.count == 2
                ? journey(from: fields.primary[0], to: fields.primary[1])
                : rows(fields.primary, .primary))
        // In the order of `FaceLayout`: those of a boarding pass are above the secondary fields,
        // and an event ticket may have two rows of auxiliary fields.
        var below = [fields.secondary]
        for row in [0, 1] {
            below.append(fields.auxiliary.filter { ($0.row == 1) == (row == 1) })
        }
        if localized.pass.style == .boardingPass { below.append(below.removeFirst()) }
        for fields in below + [fields.footer] { sections.append(rows(fields)) }
        return sections
    }

    /// The name on the left and the header fields on the right if they fit, otherwise below.
    private mutating func header(_ fields: [Field]) -> [CardLine] {
        let leftOutBefore = leftOut
        let cells = cells(fields, width: room / 2)
        let taken = cells.reduce(0) { $0 + $1.width + 2 }
        let isBeside = room - taken >= 10
        let width = isBeside ? room - taken : room
        let name = fitted(name, width: width, lines: 2).lines
        let left = CardColumn(lines: name.map { CardLine($0, .primary) }, width: width)
        let right = cells.map { $0.column(width: $0.width, side: .right) }
        if isBeside { return CardColumn.beside([left] + right, gap: 2) }
        leftOut = leftOutBefore
        return CardColumn.beside([left]) + rows(fields)
    }

    /// The name of the pass, or the organisation if the name is blank, as it is in some passes.
    private var name: String {
        let name = localized.localizedName
        return name.allSatisfy(\.isWhitespace) ? localized.organizationName : name
    }

    /// Origin and destination with the symbol of the means of transport between them.
    private mutating func journey(from start: Field, to end: Field) -> [CardLine] {
        let symbol = transitSymbol(localized.pass.transitType)
        let width = (room - columns(symbol) - 2) / 2
        let ends = cells([start, end], width: width)
        let middle = CardColumn(
            lines: [CardLine(), CardLine(symbol, .caption)],
            width: room - 2 * width, side: .middle)
        let lines = CardColumn.beside([
            ends[0].column(width: width, .primary), middle,
            ends[1].column(width: width, .primary, side: .right),
        ])
        return Array(lines.dropFirst(ends.allSatisfy(\.label.isEmpty) ? 1 : 0))
    }

    /// Fills rows with as many fields as fit.
    private mutating func rows(
        _ fields: [Field], _ role: CardLine.Role = .value
    ) -> [CardLine] {
        var rows: [[CardField]] = []
        var taken = 0
        let gap = 3
        for cell in cells(fields, width: room) {
            if !rows.isEmpty, taken + gap + cell.width <= room {
                rows[rows.count - 1].append(cell)
                taken += gap + cell.width
            } else {
                rows.append([cell])
                taken = cell.width
            }
        }
        return rows.flatMap { row in
            let taken = row.reduce(-gap) { $0 + gap + $1.width }
            // Centred and right-aligned fields need the free room of the row.
            let share = row.contains(where: \.isMoved) ? max(room - taken, 0) / row.count : 0
            return CardColumn.beside(
                row.map { $0.column(width: $0.width + share, role) }, gap: gap
            ).dropFirst(row.allSatisfy(\.label.isEmpty) ? 1 : 0)
        }
    }

    private mutating func cells(_ fields: [Field], width: Int) -> [CardField] {
        let displayLocale = displayLocale
        let cells = fields.prefix(CardFront.fieldsInGroup).map {
            CardField($0, for: displayLocale, width: width)
        }
        // Fields with links are also listed below the card, where the URL fits.
        leftOut += cells.filter { !$0.isWhole || $0.field.attributedValue != nil }.map(\.field)
        leftOut += fields.dropFirst(CardFront.fieldsInGroup)
        return cells
    }
}

private func transitSymbol(_ type: TransitType?) -> String {
    switch type {
    case .air: "✈"
    case .boat: "⛴"
    case .bus: "🚌"
    case .train: "🚆"
    case .generic, nil: "→"
    }
}
