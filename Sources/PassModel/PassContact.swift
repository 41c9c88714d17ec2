/// Whom a person can reach about an event ticket (iOS 18) or a boarding pass (iOS 26); the raw value is
/// the key in pass.json.
public enum PassContact: String, Sendable, CaseIterable, Codable {
    case venueEmail = "contactVenueEmail"
    case venuePhoneNumber = "contactVenuePhoneNumber"
    case transitProviderEmail = "transitProviderEmail"
    case transitProviderPhoneNumber = "transitProviderPhoneNumber"
}
