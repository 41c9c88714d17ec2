/// What makes a pass the same pass in all its versions.
///
/// Two are equal byte by byte, as in the index of a library. Two strings of Swift are equal when they look
/// alike, with `é` in one scalar or in two: to an issuer these are two serial numbers.
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

extension PassIdentity {
    /// Whether type and serial number have the same bytes.
    public static func == (left: PassIdentity, right: PassIdentity) -> Bool {
        left.passTypeIdentifier.utf8.elementsEqual(right.passTypeIdentifier.utf8)
            && left.serialNumber.utf8.elementsEqual(right.serialNumber.utf8)
    }

    /// Hashes the bytes of both.
    public func hash(into hasher: inout Hasher) {
        for text in [passTypeIdentifier, serialNumber] {
            hasher.combine(text.utf8.count)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

extension PassIdentity: CustomStringConvertible {
    /// Type and serial number, with a slash between them.
    public var description: String { "\(passTypeIdentifier)/\(serialNumber)" }
}
