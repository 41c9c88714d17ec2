internal import Foundation
internal import PassModel

/// The colours of a pass, such that its texts can be read.
struct CardColours {
    let background: PassColor
    let foreground: PassColor
    let label: PassColor

    static let black = PassColor(red: 0, green: 0, blue: 0)
    static let white = PassColor(red: 255, green: 255, blue: 255)

    /// WCAG asks for more, but white on sky blue is how people know some of their passes.
    static let leastContrast = 2.0

    init(_ pass: Pass, on terminal: Terminal) {
        let background = terminal.shown(
            pass.backgroundColor ?? PassColor(red: 235, green: 235, blue: 240))
        func readable(_ colour: PassColor) -> PassColor {
            let colour = terminal.shown(colour)
            if contrast(colour, background) >= CardColours.leastContrast { return colour }
            let (black, white) = (CardColours.black, CardColours.white)
            return contrast(black, background) > contrast(white, background) ? black : white
        }
        self.background = background
        foreground = readable(pass.foregroundColor ?? background)
        label = readable(pass.labelColor ?? foreground)
    }

    var value: Ink { Ink(text: foreground, ground: background) }
    var primary: Ink { Ink(text: foreground, ground: background, isBold: true) }
    var caption: Ink { Ink(text: label, ground: background) }
    /// What scanners expect, on whatever the card is.
    static let code = Ink(text: black, ground: white)
}

/// The contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(_ one: PassColor, _ other: PassColor) -> Double {
    let (first, second) = (luminance(one), luminance(other))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
}

private func luminance(_ colour: PassColor) -> Double {
    func linear(_ part: UInt8) -> Double {
        let part = Double(part) / 255
        return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green)
        + 0.0722 * linear(colour.blue)
}
