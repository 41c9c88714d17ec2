/// Whom a person can reach about an event ticket (iOS 18) or a boarding pass (iOS 26); the raw value is
/// the key in pass.json.
public enum PassContact: String, Sendable, CaseIterable, Codable {
    /// The mail address of the venue.
    case venueEmail = "contactVenueEmail"
    /// The telephone number of the venue.
    case venuePhoneNumber = "contactVenuePhoneNumber"
    /// The mail address of the carrier.
    case transitProviderEmail = "transitProviderEmail"
    /// The telephone number of the carrier.
    case transitProviderPhoneNumber = "transitProviderPhoneNumber"
}
