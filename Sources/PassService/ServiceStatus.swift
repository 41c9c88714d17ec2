/// Counts of the contents of a store.
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
}
