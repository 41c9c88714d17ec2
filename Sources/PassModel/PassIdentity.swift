/// What makes a pass the same pass in all its versions.
public struct PassIdentity: Sendable, Hashable, Codable {
    /// Reverse DNS, with the prefix `pass.`.
    public let passTypeIdentifier: String
    /// Unique within the pass type.
    public let serialNumber: String

    /// Names a pass, which need not be at hand.
    public init(passTypeIdentifier: String, serialNumber: String) {
        self.passTypeIdentifier = passTypeIdentifier
        self.serialNumber = serialNumber
    }
}

extension PassIdentity: CustomStringConvertible {
    /// Type and serial number, with a slash between them.
    public var description: String { "\(passTypeIdentifier)/\(serialNumber)" }
}
