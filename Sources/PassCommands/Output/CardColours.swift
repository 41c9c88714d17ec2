internal import PassModel

/// The colours of a card, adjusted so that its text is legible.
struct CardColours {
    let background: PassColor
    let foreground: PassColor
    let label: PassColor

    init(_ pass: Pass, on terminal: Terminal) {
        background = terminal.shown(pass.backgroundColor ?? TextColors.paper)
        let colours = TextColors(of: pass, on: background)
        // The closest colour that the terminal can show may be less legible.
        foreground = terminal.shown(colours.value).readable(on: background)
        label = terminal.shown(colours.label).readable(on: background)
    }

    var value: Ink { Ink(text: foreground, ground: background) }
    var primary: Ink { Ink(text: foreground, ground: background, isBold: true) }
    var caption: Ink { Ink(text: label, ground: background) }
    /// Black on white, whatever the colours of the card, for scanners.
    static let code = Ink(text: .black, ground: .white)
}
