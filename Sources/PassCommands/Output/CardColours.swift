internal import PassModel

/// The colours of a card, adjusted so that its text is legible.
struct CardColours {
    let background: PassColor
    let foreground: PassColor
    let label: PassColor

    /// WCAG demands more, but white on sky blue is what some well-known passes use.
    static let leastContrast = 2.0

    init(_ pass: Pass, on terminal: Terminal) {
        let background = terminal.shown(
            pass.backgroundColor ?? PassColor(red: 235, green: 235, blue: 240))
        func readable(_ colour: PassColor) -> PassColor {
            terminal.shown(colour).readable(on: background, least: CardColours.leastContrast)
        }
        self.background = background
        foreground = readable(pass.foregroundColor ?? background)
        label = readable(pass.labelColor ?? foreground)
    }

    var value: Ink { Ink(text: foreground, ground: background) }
    var primary: Ink { Ink(text: foreground, ground: background, isBold: true) }
    var caption: Ink { Ink(text: label, ground: background) }
    /// Black on white, whatever the colours of the card, for scanners.
    static let code = Ink(text: .black, ground: .white)
}
