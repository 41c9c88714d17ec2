/// The numbers of pushes since a sender started.
///
/// For example: `print(sender.counts.delivered)`
public struct PushCounts: Sendable, Hashable {
    /// Pushes that APNs accepted.
    public var delivered = 0
    /// Pushes that are tried again later, counted each time.
    public var postponed = 0
    /// Pushes that APNs refused for good.
    public var refused = 0
    /// Pushes whose token APNs calls invalid. The store then removes registrations, unless the
    /// device confirmed them meanwhile.
    public var invalid = 0

    /// Creates zeros.
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
