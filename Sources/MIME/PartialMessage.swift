import Bytes

/// Which piece of a message a message/partial is (RFC 2046, 5.2.2).
package struct PartialMessage: Sendable, Hashable {
    /// What all pieces of one message share.
    package let identifier: String
    /// Counts from 1.
    package let number: Int
    /// How many pieces there are; only the last one has to know.
    package let total: Int?

    /// Nil for another type, and for a piece without a number or an identifier.
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
