import Bytes

/// The identity of a message/partial fragment (RFC 2046, 5.2.2).
package struct PartialMessage: Sendable, Hashable {
    /// Shared by all fragments of a message.
    package let identifier: String
    /// Counts from 1.
    package let number: Int
    /// The number of fragments; required only in the last one.
    package let total: Int?

    /// Nil for other types, and for a fragment without a number or an identifier.
    init?(_ value: HeaderValue) {
        guard value.word == "message/partial",
            let identifier = value.parameters.texts(of: "id").first, !identifier.isEmpty,
            let number = PartialMessage.number(value.parameters, "number")
        else { return nil }
        self.identifier = identifier
        self.number = number
        total = PartialMessage.number(value.parameters, "total")
    }

    private static func number(_ parameters: [Parameter], _ name: String) -> Int? {
        parameters.texts(of: name).lazy.compactMap { Int($0) }.first { (1...99_999).contains($0) }
    }
}
