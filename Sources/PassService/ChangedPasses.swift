/// The passes of one type for which a device is registered and that changed since a tag.
///
/// On the wire, the tag is a string: `{"serialNumbers": ["E4", "E5"], "lastUpdated": "1742"}`.
///
/// For example: `let tag = try await store.changes(for: device, ofType: type, since: nil)?.tag`
public struct ChangedPasses: Sendable, Hashable {
    /// The serial numbers, in the order of their changes.
    public let serialNumbers: [String]
    /// The tag of the last change in the list.
    public let tag: Int64
}
