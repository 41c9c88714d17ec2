/// An entry in a list of published passes.
///
/// ```swift
/// for entry in try await store.passes(matching: "E4") { print(entry.pass.identity, entry.devices) }
/// ```
public struct ListedPass: Sendable, Hashable {
    /// The published version.
    public let pass: PublishedPass
    /// The number of devices that are registered for the pass.
    public let devices: Int
}
