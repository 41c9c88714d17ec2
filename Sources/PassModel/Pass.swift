public import Foundation

/// What a pass says: its pass.json, and the strings of its languages.
public struct Pass: Sendable, Hashable {
    // MARK: What Apple requires

    /// What makes the pass the same pass in all its versions.
    public let identity: PassIdentity
    /// 1 in every pass so far; nil when absent.
    public let formatVersion: Int?
    /// Of the issuer's Apple developer account; empty when absent.
    public let teamIdentifier: String
    /// Who issued the pass, not localized; empty when absent.
    public let organizationName: String
    /// What the pass is, in a few words, not localized; empty when absent.
    public let description: String
    /// Nil when the pass names none.
    public let style: PassStyle?

    // MARK: What it shows

    /// What stands on it, front and back.
    public let fields: PassFields
    /// Of a boarding pass.
    public let transitType: TransitType?
    /// Those that Wallet draws, best first; of an old pass the one under the old key.
    public let barcodes: [Barcode]
    /// Of the paper.
    public let backgroundColor: PassColor?
    /// Of the values.
    public let foregroundColor: PassColor?
    /// Of the labels.
    public let labelColor: PassColor?
    /// Text beside the logo, not localized.
    public let logoText: String?
    /// Text beside the logo of a poster event ticket, not localized.
    public let eventLogoText: String?
    /// Below the poster of an event ticket.
    public let footerBackgroundColor: PassColor?
    /// Whether the poster of an event ticket is not darkened under its header.
    public let suppressHeaderDarkening: Bool?
    /// Whether the other colours are taken from the poster of an event ticket.
    public let useAutomaticColors: Bool?
    /// Whether the strip image is drawn without a shine; nil when the pass does not say.
    public let suppressStripShine: Bool?
    /// Names of the looks that the pass offers, best first: `posterEventTicket`, `semanticBoardingPass`.
    public let preferredStyleSchemes: [String]
    /// Names of the image files in the archive; nil when they were not given.
    public let images: [String]?

    // MARK: When and where it matters

    /// When it stops being valid.
    public let expirationDate: Date?
    /// Whether the issuer withdrew it.
    public let isVoided: Bool
    /// When it becomes useful: the old single date, else the first of ``relevantDates``.
    public let relevantDate: Date?
    /// Every moment and span in which it is useful.
    public let relevantDates: [RelevantDate]
    /// Places where it is useful; Wallet looks at the first ten.
    public let locations: [Location]
    /// Radius around a location, in metres.
    public let maxDistance: Double?
    /// Beacons near which it is useful; Wallet looks at the first ten.
    public let beacons: [Beacon]

    // MARK: How it is kept up to date and shared

    /// Where the issuer gives out newer versions.
    public let webServiceURL: URL?
    /// The secret between this pass and its web service.
    public let authenticationToken: String?
    /// Passes of one type with the same identifier are shown together.
    public let groupingIdentifier: String?
    /// Whether Wallet offers no way to share it; nil when the pass does not say.
    public let sharingProhibited: Bool?

    // MARK: What it is to other programs

    /// Apple's numbers of the apps that go with it.
    public let associatedStoreIdentifiers: [Int]
    /// Apple's numbers of further apps, for the guide to an event.
    public let auxiliaryStoreIdentifiers: [Int]
    /// Opens the app that goes with it.
    public let appLaunchURL: URL?
    /// What it says to a reader of near-field communication.
    public let nfc: NFC?
    /// What the issuer keeps for its own app.
    public let userInfo: JSONValue?
    /// What the pass means to a machine.
    public let semantics: [String: JSONValue]
    /// What a person can do on the web with it.
    public let links: [PassLink: URL]
    /// Addresses and telephone numbers.
    public let contacts: [PassContact: String]

    // MARK: What is left

    /// Keys of pass.json that this type does not know.
    public let unknownKeys: [String: JSONValue]
    /// For each language, by the name of its folder without `.lproj`, what texts mean in it.
    public let strings: [String: [String: String]]
    /// What was tolerated, each thing once.
    public let oddities: [Oddity]
}

extension Pass {
    /// Reverse DNS, with the prefix `pass.`.
    public var passTypeIdentifier: String { identity.passTypeIdentifier }
    /// Unique within the pass type.
    public var serialNumber: String { identity.serialNumber }
    /// The one to show, if there is one.
    public var barcode: Barcode? { barcodes.first }
    /// The names of its language folders.
    public var localizations: [String] { strings.keys.sorted() }

    /// Whether it had stopped being valid by then; a pass without a date never does.
    public func isExpired(at date: Date) -> Bool {
        expirationDate.map { $0 <= date } ?? false
    }
}
