/// A request and its result.
package struct RecordedRequest: Sendable {
    /// From 0, in the order of arrival.
    package let number: Int
    package let method: String
    /// As it was sent, including the query.
    package let target: String
    package let fields: [(name: String, value: String)]
    /// The body of a POST.
    package let body: [UInt8]
    package let arrival: ContinuousClock.Instant
    /// From 0, in the order in which the connections were accepted.
    package let connection: Int
    package let isHTTP2: Bool
    /// The number of requests being answered when this one arrived, itself included.
    package let atOnce: Int
    /// The status that was sent; nil if none was sent yet, or if raw bytes were sent.
    package internal(set) var status: Int?
    /// The number of bytes of the body given to the connection. Some of them do not arrive if the
    /// connection ends early.
    package internal(set) var sent = 0
    package internal(set) var end: ContinuousClock.Instant?

    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The value of a field; the first one if there are several.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
