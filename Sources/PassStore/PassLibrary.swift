public import Foundation
public import PassVerification

/// The passes of this person on this computer.
public final class PassLibrary: Sendable {
    public init(at directory: URL) throws {}

    /// Takes passes in, durably, in one transaction, and says for each what became of it.
    public func add(_ arrivals: [Arrival]) throws -> [Admission] { [] }
}

/// A verified pass, and where it came from.
public struct Arrival: Sendable {
    public let pass: VerifiedPass
    public let origin: Origin
}

/// Where a version of a pass came from.
public struct Origin: Sendable, Hashable, Codable {
    /// A path or a URL.
    public var source: String
    public var messageID: String?
    public var from: String?
    public var date: Date?
    public var subject: String?
    public var part: String?
}

/// What became of a pass that arrived.
public enum Admission: String, Sendable, Codable {
    case added, updated, unchanged, older
}
