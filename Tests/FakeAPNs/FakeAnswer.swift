/// An answer of the fake server, or another reaction to a request.
package enum FakeAnswer: Sendable, Hashable {
    case delivered
    /// - Parameter timestamp: In milliseconds since 1970.
    case status(Int, reason: String, timestamp: Int64? = nil)
    /// Delivers the push after this time.
    case late(milliseconds: Int64)
    /// Never answers.
    case hang
    /// Sends the head of an answer, but never its end.
    case headOnly(Int)
    /// Sends the head of an answer, and then an endless body, a byte every 50 milliseconds.
    case endless(Int)
    /// Closes the connection.
    case close
    /// Accepts no further streams, does not answer any request after this one, and closes the
    /// connection.
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
