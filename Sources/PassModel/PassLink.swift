/// Links on an event ticket (iOS 18) or a boarding pass (iOS 26); the raw value is the key in
/// pass.json.
///
/// For example: `if let url = pass.links[.changeSeat] { print("Change seat: \(url)") }`
public enum PassLink: String, Sendable, CaseIterable, Codable {
    /// Accessibility information of the venue.
    case accessibility = "accessibilityURL"
    /// Add-ons for the event.
    case addOn = "addOnURL"
    /// The bag policy of the venue.
    case bagPolicy = "bagPolicyURL"
    /// The website of the venue.
    case contactVenue = "contactVenueWebsite"
    /// Directions to the venue.
    case directions = "directionsInformationURL"
    /// Merchandise of the event.
    case merchandise = "merchandiseURL"
    /// Ordering food at the venue.
    case orderFood = "orderFoodURL"
    /// Parking information.
    case parking = "parkingInformationURL"
    /// Buying a parking space.
    case purchaseParking = "purchaseParkingURL"
    /// Selling the ticket.
    case sell = "sellURL"
    /// Transferring the ticket.
    case transfer = "transferURL"
    /// Public transport to the venue.
    case transitInformation = "transitInformationURL"
    /// Changing the seat.
    case changeSeat = "changeSeatURL"
    /// In-flight entertainment.
    case entertainment = "entertainmentURL"
    /// Managing the booking.
    case management = "managementURL"
    /// Buying additional baggage.
    case purchaseAdditionalBaggage = "purchaseAdditionalBaggageURL"
    /// Buying lounge access.
    case purchaseLoungeAccess = "purchaseLoungeAccessURL"
    /// Buying Wi-Fi on board.
    case purchaseWifi = "purchaseWifiURL"
    /// Registering a service animal.
    case registerServiceAnimal = "registerServiceAnimalURL"
    /// Reporting lost baggage.
    case reportLostBag = "reportLostBagURL"
    /// Requesting a wheelchair.
    case requestWheelchair = "requestWheelchairURL"
    /// Tracking baggage.
    case trackBags = "trackBagsURL"
    /// The website of the carrier.
    case transitProvider = "transitProviderWebsiteURL"
    /// Upgrading.
    case upgrade = "upgradeURL"
}
