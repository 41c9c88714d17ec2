/// What reading one pass may cost.
public struct PassLimits: Sendable, Hashable {
    /// Size of pass.json in bytes; more is an error.
    public var jsonBytes = 4 << 20
    /// Arrays and objects within each other in pass.json; more is an error.
    public var jsonDepth = 100
    /// Values in pass.json, arrays and objects among them; more is an error.
    public var jsonValues = 50_000
    /// Size of one pass.strings in bytes; a larger one is left out.
    public var stringsBytes = 1 << 20
    /// Entries in all pass.strings together, broken ones among them; more are left out.
    public var stringsEntries = 50_000
    /// Languages with a pass.strings; more are left out.
    public var languages = 200
    /// Fields in one group; more are left out.
    public var fieldsInGroup = 500
    /// Oddities that are kept.
    public var oddities = 100

    /// Limits that no pass of an honest issuer comes near.
    public init() {}
}
