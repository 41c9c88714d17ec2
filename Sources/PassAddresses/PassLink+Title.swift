internal import Localization
internal import PassModel

extension PassLink {
    /// The title of the link in the reader's language.
    var title: String {
        switch self {
        case .accessibility: localized("Accessibility")
        case .addOn: localized("Add-ons")
        case .bagPolicy: localized("Bag policy")
        case .contactVenue: localized("Website of the venue")
        case .directions: localized("Directions")
        case .merchandise: localized("Merchandise")
        case .orderFood: localized("Order food")
        case .parking: localized("Parking")
        case .purchaseParking: localized("Buy parking")
        case .sell: localized("Sell the ticket")
        case .transfer: localized("Transfer the ticket")
        case .transitInformation: localized("Public transport")
        case .changeSeat: localized("Change the seat")
        case .entertainment: localized("Entertainment on board")
        case .management: localized("Manage the booking")
        case .purchaseAdditionalBaggage: localized("Buy more baggage")
        case .purchaseLoungeAccess: localized("Buy lounge access")
        case .purchaseWifi: localized("Buy Wi-Fi")
        case .registerServiceAnimal: localized("Register a service animal")
        case .reportLostBag: localized("Report lost baggage")
        case .requestWheelchair: localized("Request a wheelchair")
        case .trackBags: localized("Track baggage")
        case .transitProvider: localized("Website of the carrier")
        case .upgrade: localized("Upgrade")
        }
    }
}
