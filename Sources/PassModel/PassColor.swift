internal import Bytes
import Foundation

/// An sRGB colour with components from 0 to 255.
///
/// For example: `print(pass.backgroundColor?.description ?? "none")`
public struct PassColor: Sendable, Hashable {
    /// The red component, 0 to 255.
    public let red: UInt8
    /// The green component, 0 to 255.
    public let green: UInt8
    /// The blue component, 0 to 255.
    public let blue: UInt8

    /// Creates a colour from its components, each 0 to 255.
    ///
    /// For example: `let navy = PassColor(red: 22, green: 55, blue: 110)`
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses a colour such as `rgb(22, 55, 110)` or `#16376e`; nil if invalid. Opacity, as in
    /// `rgba(22, 55, 110, 0.5)`, is ignored.
    ///
    /// For example: `PassColor("#16376e") == PassColor("rgb(22, 55, 110)")`
    public init?(_ text: String) {
        let text = text[...].trimmed(of: .whitespacesAndNewlines).asciiLowercased
        guard text.utf8.count <= 64, let parts = rgbParts(text) ?? hexadecimalParts(text) else {
            return nil
        }
        self.init(red: parts[0], green: parts[1], blue: parts[2])
    }
}

extension PassColor: CustomStringConvertible {
    /// In Apple's notation: `rgb(22, 55, 110)`.
    public var description: String { "rgb(\(red), \(green), \(blue))" }
}

/// Also accepts `rgba(...)`; the opacity is ignored.
private func rgbParts(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("rgb"), text.hasSuffix(")"), let bracket = text.firstIndex(of: "("),
        ["rgb", "rgba"].contains(text[..<bracket].trimmed(of: .whitespaces))
    else { return nil }
    let numbers = text[bracket...].dropFirst().dropLast()
        .split(separator: ",", omittingEmptySubsequences: false)
        .map { Double($0.trimmed(of: .whitespaces)) }
    guard numbers.count == 3 || numbers.count == 4 else { return nil }
    let parts = numbers.prefix(3).compactMap { $0.flatMap { UInt8(exactly: $0.rounded()) } }
    return parts.count == 3 ? parts : nil
}

extension Substring {
    /// Without white space around it. Foundation converts the whole text for that, which takes
    /// longer than reading the colour, so it is asked only about rare characters.
    fileprivate func trimmed(of spaces: CharacterSet) -> String {
        func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }
        var bytes = utf8[...]
        while let first = bytes.first, first == UInt8(ascii: " ") { bytes = bytes.dropFirst() }
        while let last = bytes.last, last == UInt8(ascii: " ") { bytes = bytes.dropLast() }
        guard let first = bytes.first, let last = bytes.last, isPlain(first), isPlain(last) else {
            return trimmingCharacters(in: spaces)
        }
        return String(self[bytes.startIndex..<bytes.endIndex])
    }
}

/// Three or six hexadecimal digits, with or without `#` (VIOLATIONS.md, P18).
private func hexadecimalParts(_ text: String) -> [UInt8]? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "#") }.map(hexadecimalValue)
    let values = digits.compactMap(\.self)
    guard values.count == digits.count else { return nil }
    switch values.count {
    case 3: return values.map { $0 * 17 }
    case 6: return [0, 2, 4].map { values[$0] << 4 | values[$0 + 1] }
    default: return nil
    }
}
