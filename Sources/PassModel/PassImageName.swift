/// The images of a pass. The raw value is the name of the file without scale and extension, as
/// Apple's "Wallet Passes" documentation spells it: `icon.png`, `icon@2x.png`, `icon@3x.png`.
///
/// ```swift
/// for name in PassImageName.allCases where name != .icon { print(name.rawValue) }
/// ```
public enum PassImageName: String, Sendable, Hashable, CaseIterable, Codable {
    /// Shown in notifications and lists. Wallet requires it. `PKPass.icon` is PassKit's counterpart.
    case icon
    /// At the top left of the front.
    case logo
    /// In place of the logo, on a poster event ticket.
    case primaryLogo
    /// The logo of the issuer, on a poster event ticket.
    case secondaryLogo
    /// Beside the fields of a generic pass or an event ticket.
    case thumbnail
    /// Behind the primary fields of a coupon, store card or event ticket.
    case strip
    /// Behind the front of an event ticket, blurred there.
    case background
    /// The front of a poster event ticket.
    case artwork
    /// Near the barcode of a boarding pass.
    case footer
    /// A map of the place of an event.
    case venueMap
    /// On the form on which the holder of a reward card signs up.
    case personalizationLogo
}
