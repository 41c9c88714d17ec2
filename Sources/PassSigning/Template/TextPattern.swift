internal import Bytes

/// A text with placeholders, such as a serial number.
struct TextPattern: Sendable {
    enum Piece: Sendable {
        case text([UInt8])
        case column(Int)
    }

    var pieces: [Piece]

    /// The text for a row, in UTF-8.
    func text(for values: RowValues) -> [UInt8] {
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let bytes): text += bytes
            case .column(let column): if let value = values[column] { text += value }
            }
        }
        return text
    }
}
