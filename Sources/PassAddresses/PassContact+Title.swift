internal import Localization
internal import PassModel

extension PassContact {
    /// The title of the contact in the reader's language.
    var title: String {
        switch self {
        case .venueEmail: localized("E-mail of the venue")
        case .venuePhoneNumber: localized("Telephone of the venue")
        case .transitProviderEmail: localized("E-mail of the carrier")
        case .transitProviderPhoneNumber: localized("Telephone of the carrier")
        }
    }
}
