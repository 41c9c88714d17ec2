import BarcodeReading

/// A terminal emulator with just enough features to read barcodes: cells with two colours and a
/// character.
struct Screen {
    struct Cell {
        var character: Character = " "
        var text: UInt8
        var ground: UInt8

        var isBlock: Bool { "█▀▄▌▐".contains(character) }
    }

    private(set) var rows: [[Cell]] = [[]]
    /// The grey levels of those of the 256 colours that the program may use for barcodes.
    private static let shades: [Int: UInt8] = [16: 0, 231: 255]

    /// A terminal with light text on dark, or dark text on light.
    init(_ output: String, isLight: Bool = false) {
        let plain = isLight ? Cell(text: 20, ground: 250) : Cell(text: 200, ground: 10)
        var pen = plain
        var text = output[...]
        while let character = text.first {
            text.removeFirst()
            switch character {
            case "\u{1B}":
                let codes = text.dropFirst().prefix { $0 != "m" }
                text = text.dropFirst(codes.count + 2)
                pen = Self.pen(pen, codes.split(separator: ";").compactMap { Int($0) }, plain)
            case "\n", "\r\n": rows.append([])
            default:
                pen.character = character
                rows[rows.count - 1].append(pen)
            }
        }
    }

    private static func pen(_ pen: Cell, _ codes: [Int], _ plain: Cell) -> Cell {
        var pen = pen
        var codes = codes[...]
        while let code = codes.popFirst() {
            switch code {
            case 0: pen = plain
            case 30: pen.text = 0
            case 47: pen.ground = 229
            case 38, 48:
                let isDirect = codes.popFirst() == 2
                let parts = codes.prefix(isDirect ? 3 : 1)
                codes = codes.dropFirst(parts.count)
                let shade =
                    isDirect
                    ? UInt8(parts.reduce(0, +) / 3) : shades[parts.first ?? 0] ?? 128
                if code == 38 { pen.text = shade } else { pen.ground = shade }
            default: break
            }
        }
        return pen
    }

    /// An image of the barcode and its surroundings, as a camera would see it. Cells have 8 by 16
    /// pixels.
    var picture: Picture {
        let filled = rows.indices.filter { row in rows[row].contains { $0.isBlock } }
        let lines = max((filled.first ?? 0) - 2, 0)...min((filled.last ?? 0) + 2, rows.count - 1)
        let shown = Array(rows[lines])
        let columns = shown.map(\.count).max() ?? 0
        var picture = Picture(width: columns * 8, height: shown.count * 16, shade: 10)
        for (y, row) in shown.enumerated() {
            for (x, cell) in row.enumerated() {
                let (left, top) = (x * 8, y * 16)
                picture.fill(x: left, y: top, width: 8, height: 16, shade: cell.ground)
                switch cell.character {
                case "█": picture.fill(x: left, y: top, width: 8, height: 16, shade: cell.text)
                case "▀": picture.fill(x: left, y: top, width: 8, height: 8, shade: cell.text)
                case "▄": picture.fill(x: left, y: top + 8, width: 8, height: 8, shade: cell.text)
                case "▌": picture.fill(x: left, y: top, width: 4, height: 16, shade: cell.text)
                case "▐": picture.fill(x: left + 4, y: top, width: 4, height: 16, shade: cell.text)
                case " ": break
                // Letters are drawn as a mix of the two colours.
                default:
                    picture.fill(x: left + 3, y: top + 4, width: 2, height: 8, shade: cell.text)
                }
            }
        }
        return picture
    }
}
