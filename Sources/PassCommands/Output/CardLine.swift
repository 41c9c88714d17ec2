/// A line of a card in pieces, before it is painted.
struct CardLine: Hashable {
    enum Role { case value, primary, caption, code }

    struct Piece: Hashable {
        let text: String
        let role: Role
    }

    var pieces: [Piece] = []

    init() {}

    init(_ text: String, _ role: Role) { pieces = [Piece(text: text, role: role)] }

    var columns: Int { pieces.reduce(0) { $0 + PassCommands.columns($1.text) } }

    func centred(in room: Int) -> CardLine {
        var line = self
        let before = String(repeating: " ", count: max((room - columns) / 2, 0))
        line.pieces.insert(Piece(text: before, role: .value), at: 0)
        return line
    }
}
