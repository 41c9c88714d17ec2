import Foundation

extension PassColor {
    package static let black = PassColor(red: 0, green: 0, blue: 0)
    package static let white = PassColor(red: 255, green: 255, blue: 255)

    /// The WCAG 2.2 contrast ratio, from 1 to 21.
    package func contrast(with other: PassColor) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    /// Black or white, whichever has more contrast with this colour.
    package var contrasting: PassColor {
        contrast(with: .black) > contrast(with: .white) ? .black : .white
    }

    /// This colour, or black or white if its contrast is too low.
    ///
    /// - Parameter least: The minimum contrast ratio.
    package func readable(on ground: PassColor, least: Double) -> PassColor {
        contrast(with: ground) >= least ? self : ground.contrasting
    }

    private var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let part = Double(part) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
