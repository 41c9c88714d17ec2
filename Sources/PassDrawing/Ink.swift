import PassModel

/// A colour that lets through what is below it, or not: parts of sRGB, 0 to 1 each.
struct Ink: Sendable, Hashable {
    var red: Double
    var green: Double
    var blue: Double
    var opacity = 1.0

    static let black = Ink(red: 0, green: 0, blue: 0)
    static let white = Ink(red: 1, green: 1, blue: 1)

    init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.opacity = opacity
    }

    init(_ color: PassColor) {
        self.init(
            red: Double(color.red) / 255, green: Double(color.green) / 255,
            blue: Double(color.blue) / 255)
    }

    func faded(to opacity: Double) -> Ink {
        Ink(red: red, green: green, blue: blue, opacity: self.opacity * opacity)
    }

    /// Which of black and white is read more easily on it, by the luma of ITU-R BT.601.
    var contrasting: Ink {
        0.299 * red + 0.587 * green + 0.114 * blue > 0.55 ? .black : .white
    }
}

/// The colours of a face: those of the pass, and Wallet's own where it names none.
struct Palette: Sendable {
    let background: Ink
    let foreground: Ink
    let label: Ink

    /// - Parameters:
    ///   - isOnPicture: Whether the fields stand on a picture that covers the card.
    ///   - hasLightLogo: Whether the logo was made for a dark card.
    init(_ pass: Pass, isOnPicture: Bool, hasLightLogo: Bool) {
        let paper =
            hasLightLogo
            ? Ink(red: 0.26, green: 0.26, blue: 0.28) : Ink(red: 0.95, green: 0.95, blue: 0.96)
        background = pass.backgroundColor.map { Ink($0) } ?? paper
        foreground =
            pass.foregroundColor.map { Ink($0) }
            ?? (isOnPicture ? .white : background.contrasting)
        label = pass.labelColor.map { Ink($0) } ?? foreground.faded(to: 0.7)
    }
}
