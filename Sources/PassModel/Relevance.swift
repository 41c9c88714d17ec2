public import Foundation

/// A place where the pass is of use.
public struct Location: Sendable, Hashable {
    /// In degrees, -90 to 90.
    public let latitude: Double
    /// In degrees, -180 to 180.
    public let longitude: Double
    /// In metres.
    public let altitude: Double?
    /// What the lock screen says there.
    public internal(set) var relevantText: String?
}

/// A Bluetooth beacon near which the pass is of use.
public struct Beacon: Sendable, Hashable {
    /// Of all beacons of its owner.
    public let proximityUUID: UUID
    /// Of a group of beacons; nil means any.
    public let major: Int?
    /// Of one beacon in the group; nil means any.
    public let minor: Int?
    /// What the lock screen says there.
    public internal(set) var relevantText: String?
}

/// A moment, or a span of time, in which the pass is of use.
public struct RelevantDate: Sendable, Hashable {
    /// The moment.
    public let date: Date?
    /// The start of the span.
    public let startDate: Date?
    /// The end of the span.
    public let endDate: Date?

    package init(date: Date?, startDate: Date? = nil, endDate: Date? = nil) {
        self.date = date
        self.startDate = startDate
        self.endDate = endDate
    }
}

/// What the pass says to a reader of near-field communication.
public struct NFC: Sendable, Hashable {
    /// What is sent, 64 bytes at most.
    public let message: String
    /// Base64 of an X.509 SubjectPublicKeyInfo.
    public let encryptionPublicKey: String?
    /// Whether the person must unlock the phone for it.
    public let requiresAuthentication: Bool
}
