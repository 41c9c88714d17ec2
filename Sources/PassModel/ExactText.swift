internal import Bytes

/// A text that is compared by its bytes: a key of pass.json, or a text that pass.strings
/// translates.
///
/// Swift strings are equal if canonically equivalent, such as `é` in one scalar or two, or `K` and
/// U+212A KELVIN SIGN; in JSON, these are two keys.
///
/// ```swift
/// let tier: ExactText = "tier"
/// print(pass.unknownKeys[tier] != nil, tier.text)
/// ```
public struct ExactText: Sendable, Hashable, Comparable {
    /// The text.
    public let text: String

    /// Creates a text.
    ///
    /// For example: `pass.strings["fr"]?[ExactText(pass.description)]`
    public init(_ text: String) {
        self.text = text
    }
}

extension ExactText {
    /// Whether both have the same bytes.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.isExactly(right.text)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }

    /// Whether the bytes of the first sort before those of the second.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension ExactText: ExpressibleByStringLiteral {
    /// Creates a text from a literal.
    ///
    /// For example: `let key: ExactText = "serialNumber"`
    public init(stringLiteral text: String) {
        self.text = text
    }
}

extension ExactText: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
