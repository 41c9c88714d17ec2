/// Counts of pushes since a sender started.
///
/// For example: `print(sender.counts.delivered)`
public struct PushCounts: Sendable, Hashable {
    /// Pushes that APNs accepted.
    public var delivered = 0
    /// Postponed pushes. A push counts each time it is postponed.
    public var postponed = 0
    /// Pushes that APNs refused for good.
    public var refused = 0
    /// Pushes whose token APNs reported as invalid. The store removes their registrations, except
    /// those that the device has confirmed meanwhile.
    public var invalid = 0

    /// Creates counts of zero.
    ///
    /// For example: `var sum = PushCounts()`
    public init() {}

    mutating func add(_ outcome: PushOutcome) {
        switch outcome {
        case .delivered: delivered += 1
        case .unregistered, .invalidToken: invalid += 1
        case .postponed: postponed += 1
        case .refused: refused += 1
        }
    }
}
