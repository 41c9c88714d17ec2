/// Limits for reading one pass.
///
/// ```swift
/// var limits = PassLimits()
/// limits.jsonBytes = 64 << 10
/// let pass = try Pass(json: [UInt8](Data(contentsOf: url)), limits: limits)
/// ```
public struct PassLimits: Sendable, Hashable {
    /// The size of pass.json in bytes; exceeding it is an error.
    public var jsonBytes = 4 << 20
    /// Nested arrays and objects in pass.json; exceeding it is an error.
    public var jsonDepth = 100
    /// Values in pass.json, including arrays and objects; exceeding it is an error.
    public var jsonValues = 50_000
    /// The size of a pass.strings in bytes; larger ones are ignored.
    public var stringsBytes = 1 << 20
    /// Entries in all pass.strings, including invalid ones; further ones are ignored.
    public var stringsEntries = 50_000
    /// Language folders; further ones are ignored.
    public var languages = 200
    /// Fields in a group; further ones are ignored.
    public var fieldsInGroup = 500
    /// Later events; further ones are ignored.
    public var upcomingEntries = 50
    /// Fields in a group of a later event; further ones are ignored.
    public var fieldsInGroupOfEntry = 50
    /// Irregularities that are recorded.
    public var oddities = 100

    /// Creates limits far above any real pass.
    public init() {}
}
