/// Contact details on an event ticket (iOS 18) or a boarding pass (iOS 26); the raw value is the
/// key in pass.json.
///
/// For example: `if let number = pass.contacts[.venuePhoneNumber] { print("tel:\(number)") }`
public enum PassContact: String, Sendable, CaseIterable, Codable {
    /// The e-mail address of the venue.
    case venueEmail = "contactVenueEmail"
    /// The telephone number of the venue.
    case venuePhoneNumber = "contactVenuePhoneNumber"
    /// The e-mail address of the carrier.
    case transitProviderEmail = "transitProviderEmail"
    /// The telephone number of the carrier.
    case transitProviderPhoneNumber = "transitProviderPhoneNumber"
}
