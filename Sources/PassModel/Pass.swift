/// What a pass says: its pass.json and the strings of its languages.
public struct Pass: Sendable {
    public let passTypeIdentifier: String
    public let serialNumber: String
    public let teamIdentifier: String
    public let organizationName: String
    public let description: String
    public let oddities: [Oddity]

    public init(json: [UInt8], strings: [String: [UInt8]] = [:]) throws(PassError) {
        throw .notAnObject("stub")
    }
}

/// Something odd in a pass that is tolerated.
public struct Oddity: Sendable, Hashable {
    public let code: String
    public let detail: String
}

public enum PassError: Error, Sendable, Equatable, CustomStringConvertible {
    case notAnObject(String)
    public var description: String { "" }
}
