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

    /// This colour, or black or white if it has less than the contrast that WCAG 2.2, 1.4.3
    /// requires of text. Black or white has at least that on any colour.
    package func readable(on ground: PassColor) -> PassColor {
        contrast(with: ground) >= 4.5 ? self : ground.contrasting
    }

    /// A mixture of this colour, with this share from 0 to 1, and another.
    fileprivate func mixed(_ share: Double, with other: PassColor) -> PassColor {
        func part(_ own: UInt8, _ other: UInt8) -> UInt8 {
            UInt8(clamping: Int((Double(own) * share + Double(other) * (1 - share)).rounded()))
        }
        return PassColor(
            red: part(red, other.red), green: part(green, other.green),
            blue: part(blue, other.blue))
    }

    private var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let part = Double(part) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}

/// The colours of the texts of a card: those of the pass where they are legible on what is behind
/// them. Each way to draw a card uses them.
package struct TextColors: Sendable, Hashable {
    package let value: PassColor
    package let label: PassColor

    /// The colour of a card whose pass has none.
    package static let paper = PassColor(red: 242, green: 242, blue: 245)

    /// - Parameter ground: The colour behind the texts, or the average of the picture there.
    package init(of pass: Pass, on ground: PassColor) {
        value = (pass.foregroundColor ?? ground.contrasting).readable(on: ground)
        let faded = value.mixed(0.7, with: ground)
        let usual = faded == faded.readable(on: ground) ? faded : value
        label = (pass.labelColor ?? usual).readable(on: ground)
    }
}
