/// A line of a card, in segments, before colours are added.
package struct CardLine: Hashable {
    package enum Role { case value, primary, caption, code }

    package struct Piece: Hashable {
        package let text: String
        package let role: Role
    }

    package var pieces: [Piece] = []

    package init() {}

    package init(_ text: String, _ role: Role) { pieces = [Piece(text: text, role: role)] }

    package var columns: Int { pieces.reduce(0) { $0 + PassPresentation.columns($1.text) } }

    package func centred(in room: Int) -> CardLine {
        var line = self
        let before = String(repeating: " ", count: max((room - columns) / 2, 0))
        line.pieces.insert(Piece(text: before, role: .value), at: 0)
        return line
    }
}
