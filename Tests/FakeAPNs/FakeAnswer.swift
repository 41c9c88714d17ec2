/// An answer of the fake, or another way to treat a request.
package enum FakeAnswer: Sendable, Hashable {
    case delivered
    /// - Parameter timestamp: In milliseconds since 1970.
    case status(Int, reason: String, timestamp: Int64? = nil)
    /// Delivered after this time.
    case late(milliseconds: Int64)
    /// Never answers.
    case hang
    /// Sends the head of an answer, and never its end.
    case headOnly(Int)
    /// Sends the head of an answer, and then a byte every 50 milliseconds without an end.
    case endless(Int)
    /// Closes the connection.
    case close
    /// Takes no further streams, answers none after this one, and closes the connection.
    case goAway

    /// The status and the body of an answer.
    var response: (status: Int, body: String?)? {
        switch self {
        case .delivered: (200, nil)
        case .status(let status, let reason, let timestamp?):
            (status, #"{"reason":"\#(reason)","timestamp":\#(timestamp)}"#)
        case .status(let status, let reason, nil): (status, #"{"reason":"\#(reason)"}"#)
        case .late, .hang, .headOnly, .endless, .close, .goAway: nil
        }
    }
}
