/// What a person can do on the web with an event ticket (iOS 18) or a boarding pass (iOS 26); the raw
/// value is the key in pass.json.
public enum PassLink: String, Sendable, CaseIterable, Codable {
    /// Reads what the venue offers to people with disabilities.
    case accessibility = "accessibilityURL"
    /// Buys more for the event.
    case addOn = "addOnURL"
    /// Reads which bags the venue admits.
    case bagPolicy = "bagPolicyURL"
    /// Visits the site of the venue.
    case contactVenue = "contactVenueWebsite"
    /// Reads how to get to the venue.
    case directions = "directionsInformationURL"
    /// Buys merchandise of the event.
    case merchandise = "merchandiseURL"
    /// Orders food at the venue.
    case orderFood = "orderFoodURL"
    /// Reads where to park.
    case parking = "parkingInformationURL"
    /// Buys a place to park.
    case purchaseParking = "purchaseParkingURL"
    /// Sells the ticket.
    case sell = "sellURL"
    /// Gives the ticket to somebody else.
    case transfer = "transferURL"
    /// Reads how to get to the venue by public transport.
    case transitInformation = "transitInformationURL"
    /// Takes another seat.
    case changeSeat = "changeSeatURL"
    /// Reads what there is to see and hear on board.
    case entertainment = "entertainmentURL"
    /// Changes the booking.
    case management = "managementURL"
    /// Buys room for more baggage.
    case purchaseAdditionalBaggage = "purchaseAdditionalBaggageURL"
    /// Buys access to a lounge.
    case purchaseLoungeAccess = "purchaseLoungeAccessURL"
    /// Buys access to the network on board.
    case purchaseWifi = "purchaseWifiURL"
    /// Registers a service animal.
    case registerServiceAnimal = "registerServiceAnimalURL"
    /// Reports a bag as lost.
    case reportLostBag = "reportLostBagURL"
    /// Asks for a wheelchair.
    case requestWheelchair = "requestWheelchairURL"
    /// Sees where the bags are.
    case trackBags = "trackBagsURL"
    /// Visits the site of the carrier.
    case transitProvider = "transitProviderWebsiteURL"
    /// Takes a better class.
    case upgrade = "upgradeURL"
}
