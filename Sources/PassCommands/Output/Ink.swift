internal import PassModel

/// Text colours that do not depend on the terminal's theme.
struct Ink: Hashable {
    var text: PassColor
    var ground: PassColor
    var isBold = false
}

extension Terminal {
    /// Paints the text. With only eight colours it is black on white, in the terminal's shades.
    func paint(_ text: String, _ ink: Ink) -> String {
        let colours =
            switch self.colours {
            case .none: ""
            case .eight: "30;47"
            case .indexed: "38;5;\(indexed(ink.text).index);48;5;\(indexed(ink.ground).index)"
            case .direct: "38;2;\(parts(ink.text));48;2;\(parts(ink.ground))"
            }
        if colours.isEmpty { return text }
        return "\u{1B}[\(ink.isBold ? "1;" : "")\(colours)m\(text)\u{1B}[0m"
    }

    /// The closest colour that the terminal can show.
    func shown(_ colour: PassColor) -> PassColor {
        colours == .indexed ? indexed(colour).colour : colour
    }
}

private func parts(_ colour: PassColor) -> String {
    "\(colour.red);\(colour.green);\(colour.blue)"
}

/// The nearest of xterm's 256 colours, except the first 16, which users can redefine: a 6x6x6 cube
/// and 24 greys.
private func indexed(_ colour: PassColor) -> (index: Int, colour: PassColor) {
    let parts = [colour.red, colour.green, colour.blue]
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    let chosen = parts.map { part in
        steps.indices.min { apart(steps[$0], part) < apart(steps[$1], part) } ?? 0
    }
    let cube = PassColor(
        red: steps[chosen[0]], green: steps[chosen[1]], blue: steps[chosen[2]])
    let mean = parts.reduce(0) { $0 + Int($1) } / 3
    let grey = min(max((mean - 3) / 10, 0), 23)
    let shade = UInt8(8 + 10 * grey)
    let greyColour = PassColor(red: shade, green: shade, blue: shade)
    return distance(greyColour, colour) < distance(cube, colour)
        ? (232 + grey, greyColour) : (16 + 36 * chosen[0] + 6 * chosen[1] + chosen[2], cube)
}

private func distance(_ one: PassColor, _ other: PassColor) -> Int {
    let parts = [
        apart(one.red, other.red), apart(one.green, other.green), apart(one.blue, other.blue),
    ]
    return parts.reduce(0) { $0 + $1 * $1 }
}

private func apart(_ one: UInt8, _ other: UInt8) -> Int { abs(Int(one) - Int(other)) }
