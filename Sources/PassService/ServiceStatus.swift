/// Counts of the contents of a store, and of events since it was created.
///
/// For example: `print(try await store.status().registrations)`
public struct ServiceStatus: Sendable, Hashable {
    /// The number of published passes.
    public let passes: Int
    /// The number of devices that are registered for at least one pass.
    public let devices: Int
    /// The number of registrations of a device for a pass.
    public let registrations: Int
    /// The number of stored log lines.
    public let logLines: Int
    /// The tag of the last change; 0 before the first.
    public let tag: Int64
    /// The number of pushes that are waiting to be sent.
    public let pendingPushes: Int
    /// The number of pushes that APNs accepted.
    public let deliveredPushes: Int
    /// The number of pushes that APNs refused for good.
    public let refusedPushes: Int
    /// The number of registrations that were removed because APNs does not know their token.
    public let removedRegistrations: Int
    /// The number of passes that devices fetched.
    public let fetches: Int
}

/// A counter in the store.
enum ServiceCounter: String {
    case deliveredPushes, refusedPushes, removedRegistrations, fetches
}
