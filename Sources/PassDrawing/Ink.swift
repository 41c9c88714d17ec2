import PassModel

/// A colour with opacity: sRGB components from 0 to 1.
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
}

/// The colours of a face: those of the pass, or Wallet's defaults.
struct Palette: Sendable {
    let background: Ink
    let foreground: Ink
    let label: Ink
    private let ground: PassColor

    /// - Parameters:
    ///   - picture: The picture that covers the card; nil if there is none.
    ///   - hasLightLogo: Whether the logo was made for a dark card.
    init(_ pass: Pass, on picture: Picture?, hasLightLogo: Bool) {
        let paper = hasLightLogo ? PassColor(red: 66, green: 66, blue: 71) : TextColors.paper
        self.init(pass, on: picture, ground: pass.backgroundColor ?? paper)
    }

    /// The palette for fields on a picture of the pass.
    func on(_ picture: Picture, of pass: Pass) -> Palette {
        Palette(pass, on: picture, ground: ground)
    }

    private init(_ pass: Pass, on picture: Picture?, ground: PassColor) {
        self.ground = ground
        background = Ink(ground)
        let colors = TextColors(of: pass, on: picture?.mean(over: ground) ?? ground)
        (foreground, label) = (Ink(colors.value), Ink(colors.label))
    }
}

extension Picture {
    /// The average colour, with this colour behind transparent pixels.
    fileprivate func mean(over ground: PassColor) -> PassColor {
        var (red, green, blue, opacity) = (0, 0, 0, 0)
        for pixel in pixels {
            red += Int(pixel >> 16 & 0xFF)
            green += Int(pixel >> 8 & 0xFF)
            blue += Int(pixel & 0xFF)
            opacity += Int(pixel >> 24)
        }
        let gaps = pixels.count * 255 - opacity
        func part(_ sum: Int, _ behind: UInt8) -> UInt8 {
            UInt8(clamping: (sum + gaps * Int(behind) / 255) / max(pixels.count, 1))
        }
        return PassColor(
            red: part(red, ground.red), green: part(green, ground.green),
            blue: part(blue, ground.blue))
    }
}
