public import Foundation

/// A location where the pass is relevant, from the key `locations`.
///
/// For example: `for place in pass.locations { print(place.latitude, place.longitude) }`
public struct Location: Sendable, Hashable {
    /// In degrees, -90 to 90.
    public let latitude: Double
    /// In degrees, -180 to 180.
    public let longitude: Double
    /// In metres.
    public let altitude: Double?
    /// The text on the lock screen at this location.
    public internal(set) var relevantText: String?
}

/// A Bluetooth beacon near which the pass is relevant, from the key `beacons`.
///
/// For example: `let owners = Set(pass.beacons.map(\.proximityUUID))`
public struct Beacon: Sendable, Hashable {
    /// The UUID of the owner's beacons.
    public let proximityUUID: UUID
    /// The group of beacons, 0 to 65535; nil means any.
    public let major: Int?
    /// The beacon in the group, 0 to 65535; nil means any.
    public let minor: Int?
    /// The text on the lock screen near this beacon.
    public internal(set) var relevantText: String?
}

/// A date or interval at which the pass is relevant, from the key `relevantDates`. In PassKit:
/// `PKPassRelevantDate`.
///
/// For example: `let starts = pass.relevantDates.compactMap { $0.startDate ?? $0.date }`
public struct RelevantDate: Sendable, Hashable {
    /// The date, from the key `date` or, since iOS 18, `relevantDate`.
    public let date: Date?
    /// The start of the interval.
    public let startDate: Date?
    /// The end of the interval.
    public let endDate: Date?

    package init(date: Date?, startDate: Date? = nil, endDate: Date? = nil) {
        self.date = date
        self.startDate = startDate
        self.endDate = endDate
    }
}

/// The NFC payload of the pass, from the key `nfc`.
///
/// For example: `print(pass.nfc?.message ?? "no NFC")`
public struct NFC: Sendable, Hashable {
    /// The message, at most 64 bytes.
    public let message: String
    /// An X.509 SubjectPublicKeyInfo in base64.
    public let encryptionPublicKey: String?
    /// Whether the user must authenticate.
    public let requiresAuthentication: Bool
}
