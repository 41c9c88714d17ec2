public import Foundation

/// The contents of a pass: its pass.json and pass.strings.
///
/// ```swift
/// let pass = try Pass(json: [UInt8](Data(contentsOf: url)))
/// print(pass.organizationName, pass.fields["gate"]?.value ?? "-")
/// ```
///
/// `PassVerification` reads it from a pass file.
public struct Pass: Sendable, Hashable {
    // MARK: Required by Apple

    /// The identity, shared by all versions of the pass. From the keys `passTypeIdentifier` and
    /// `serialNumber`.
    public let identity: PassIdentity
    /// 1 in all passes so far; nil if absent.
    public let formatVersion: Int?
    /// The team identifier of the issuer's Apple developer account; empty if absent.
    public let teamIdentifier: String
    /// The issuer, not localized; empty if absent. In PassKit: `PKPass.organizationName`.
    public let organizationName: String
    /// A short description, not localized; empty if absent.
    public let description: String
    /// The style: the key of pass.json that holds the fields; nil if absent.
    public let style: PassStyle?

    // MARK: Appearance

    /// The fields, front and back, from the object of the style.
    public let fields: PassFields
    /// The means of transport of a boarding pass, from the object of the style.
    public let transitType: TransitType?
    /// The barcodes that Wallet supports, in order of preference: from the key `barcodes` or, in
    /// old passes, the deprecated `barcode`.
    public let barcodes: [Barcode]
    /// The background colour of the pass.
    public let backgroundColor: PassColor?
    /// The colour of field values.
    public let foregroundColor: PassColor?
    /// The colour of field labels.
    public let labelColor: PassColor?
    /// The text beside the logo, not localized.
    public let logoText: String?
    /// The text beside the logo of a poster event ticket, not localized.
    public let eventLogoText: String?
    /// The background colour below the poster of an event ticket.
    public let footerBackgroundColor: PassColor?
    /// Whether the header of a poster event ticket is not darkened.
    public let suppressHeaderDarkening: Bool?
    /// Whether the other colours of an event ticket are derived from its poster.
    public let useAutomaticColors: Bool?
    /// Whether the strip image is drawn without a shine; nil if unspecified.
    public let suppressStripShine: Bool?
    /// The style schemes that the pass supports, in order of preference: `posterEventTicket`,
    /// `semanticBoardingPass`.
    public let preferredStyleSchemes: [String]
    /// The names of the image files in the archive; nil if unknown.
    public let images: [String]?

    // MARK: Relevance

    /// The expiration date.
    public let expirationDate: Date?
    /// Whether the issuer declared the pass void. From the key `voided`.
    public let isVoided: Bool
    /// The relevant date: the deprecated single date, or else the first of ``relevantDates``. In
    /// PassKit: `PKPass.relevantDate`.
    public let relevantDate: Date?
    /// All relevant dates and intervals. In PassKit: `PKPass.relevantDates`.
    public let relevantDates: [RelevantDate]
    /// Relevant locations; Wallet uses the first ten.
    public let locations: [Location]
    /// The maximum distance from a location, in metres.
    public let maxDistance: Double?
    /// Relevant beacons; Wallet uses the first ten.
    public let beacons: [Beacon]

    // MARK: Updates and sharing

    /// The URL of the web service for updates. In PassKit: `PKPass.webServiceURL`.
    public let webServiceURL: URL?
    /// The authentication token for the web service. In PassKit: `PKPass.authenticationToken`.
    public let authenticationToken: String?
    /// Passes of one type with the same identifier are grouped.
    public let groupingIdentifier: String?
    /// Whether sharing is disabled; nil if unspecified.
    public let sharingProhibited: Bool?

    // MARK: Use by other programs

    /// The App Store identifiers of associated apps.
    public let associatedStoreIdentifiers: [Int]
    /// The App Store identifiers of further apps for an event guide.
    public let auxiliaryStoreIdentifiers: [Int]
    /// The URL that Wallet passes to the associated app.
    public let appLaunchURL: URL?
    /// The NFC payload.
    public let nfc: NFC?
    /// Custom data for the issuer's app. In PassKit: `PKPass.userInfo`.
    public let userInfo: JSONValue?
    /// Apple's semantic tags for the pass, by key, such as `eventName` or `flightNumber`.
    public let semantics: [ExactText: JSONValue]
    /// Links for actions such as changing a booking. The keys of pass.json are the raw values of
    /// ``PassLink``.
    public let links: [PassLink: URL]
    /// E-mail addresses and telephone numbers. The keys of pass.json are the raw values of
    /// ``PassContact``.
    public let contacts: [PassContact: String]
    /// Later events of a pass for several events, in order. From the key `upcomingPassInformation`.
    public let upcomingEntries: [UpcomingEntry]

    // MARK: Other

    /// Keys of pass.json unknown to this type.
    public let unknownKeys: [ExactText: JSONValue]
    /// The names of the language folders (without `.lproj`), in the order of the manifest.
    public let localizations: [String]
    /// The translations in the files pass.strings: by language folder (without `.lproj`), each by
    /// original text.
    public let strings: [String: [ExactText: String]]
    /// Tolerated irregularities, without duplicates.
    public let oddities: [Oddity]
}

extension Pass {
    /// The pass type identifier: reverse DNS, with the prefix `pass.`. In PassKit:
    /// `PKPass.passTypeIdentifier`.
    public var passTypeIdentifier: String { identity.passTypeIdentifier }
    /// The serial number, unique within the pass type. In PassKit: `PKPass.serialNumber`.
    public var serialNumber: String { identity.serialNumber }
    /// The preferred barcode, if any.
    public var barcode: Barcode? { barcodes.first }

    /// Whether the pass has expired at `date`; false without an expiration date.
    ///
    /// For example: `if pass.isExpired(at: .now) || pass.isVoided { print("no longer valid") }`
    public func isExpired(at date: Date) -> Bool {
        expirationDate.map { $0 <= date } ?? false
    }
}
