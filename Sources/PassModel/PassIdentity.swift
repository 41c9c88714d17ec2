/// The identity of a pass, shared by all its versions.
///
/// Compared by bytes, as in the index of a library. Swift strings are equal if canonically
/// equivalent, such as `é` in one scalar or two; to an issuer, these are two serial numbers.
///
/// ```swift
/// var seen: Set<PassIdentity> = []
/// let isNew = seen.insert(pass.identity).inserted
/// ```
public struct PassIdentity: Sendable, Hashable, Codable {
    /// The pass type: reverse DNS, with the prefix `pass.`. In PassKit:
    /// `PKPass.passTypeIdentifier`.
    public let passTypeIdentifier: String
    /// Unique within the pass type. In PassKit: `PKPass.serialNumber`.
    public let serialNumber: String

    /// Creates the identity of a pass.
    ///
    /// For example: `PassIdentity(passTypeIdentifier: "pass.com.example.trip", serialNumber: "E4")`
    public init(passTypeIdentifier: String, serialNumber: String) {
        self.passTypeIdentifier = passTypeIdentifier
        self.serialNumber = serialNumber
    }
}

extension PassIdentity {
    /// Whether pass type and serial number have the same bytes.
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
