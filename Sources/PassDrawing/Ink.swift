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
    private(set) var background: Ink
    private(set) var foreground: Ink
    private(set) var label: Ink

    /// The contrast below which the colours of the pass are replaced. Many passes have little more.
    private static let leastContrast = 1.3

    /// - Parameters:
    ///   - isOnPicture: Whether the fields are on a picture that covers the card.
    ///   - hasLightLogo: Whether the logo was made for a dark card.
    init(_ pass: Pass, isOnPicture: Bool, hasLightLogo: Bool) {
        let paper =
            hasLightLogo
            ? PassColor(red: 66, green: 66, blue: 71) : PassColor(red: 242, green: 242, blue: 245)
        let ground = pass.backgroundColor ?? paper
        func readable(_ color: PassColor) -> Ink {
            Ink(color.readable(on: ground, least: Palette.leastContrast))
        }
        background = Ink(ground)
        foreground =
            pass.foregroundColor.map(readable)
            ?? Ink(isOnPicture ? .white : ground.contrasting)
        label = pass.labelColor.map(readable) ?? foreground.faded(to: 0.7)
        if isOnPicture { self = onPicture(of: pass) }
    }

    /// The palette for fields on a picture of the pass. Contrast is not checked: the issuer chose
    /// both.
    func onPicture(_ picture: Picture? = nil, of pass: Pass) -> Palette {
        var palette = self
        if let color = pass.foregroundColor ?? picture?.mean.contrasting {
            palette.foreground = Ink(color)
        }
        palette.label = pass.labelColor.map { Ink($0) } ?? palette.foreground.faded(to: 0.7)
        return palette
    }
}

extension Picture {
    /// The average colour.
    fileprivate var mean: PassColor {
        var (red, green, blue, opacity) = (0, 0, 0, 0)
        for pixel in pixels {
            red += Int(pixel >> 16 & 0xFF)
            green += Int(pixel >> 8 & 0xFF)
            blue += Int(pixel & 0xFF)
            opacity += Int(pixel >> 24)
        }
        func part(_ sum: Int) -> UInt8 { UInt8(clamping: sum * 255 / max(opacity, 1)) }
        return PassColor(red: part(red), green: part(green), blue: part(blue))
    }
}
