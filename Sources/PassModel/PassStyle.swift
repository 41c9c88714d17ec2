internal import Bytes

/// The style of a pass, which determines its layout. The raw value is the key in pass.json.
///
/// For example: `let isTicket = pass.style == .eventTicket`
public enum PassStyle: String, Sendable, CaseIterable, Codable {
    /// A boarding pass for any means of transport.
    case boardingPass
    /// A coupon or offer.
    case coupon
    /// A ticket for a concert, a match, a film.
    case eventTicket
    /// Any other pass.
    case generic
    /// A store card: loyalty, points, a balance.
    case storeCard
    /// A pass with a large picture (iOS 27); displayed like ``generic``. Issuers may add it to a pass
    /// of another style, which is then used.
    case posterGeneric
}

/// The means of transport of a boarding pass. The raw value is that of the key `transitType`.
///
/// For example: `let symbol = pass.transitType == .train ? "🚆" : "✈️"`
public enum TransitType: String, Sendable, CaseIterable, Codable {
    /// A flight.
    case air = "PKTransitTypeAir"
    /// A boat.
    case boat = "PKTransitTypeBoat"
    /// A bus.
    case bus = "PKTransitTypeBus"
    /// Any other means of transport.
    case generic = "PKTransitTypeGeneric"
    /// A train.
    case train = "PKTransitTypeTrain"
}

/// The fields of a pass by group, each in order.
///
/// For example: `for field in pass.fields.back { print(field.label ?? "", field.value) }`
public struct PassFields: Sendable, Hashable {
    /// At the top right, visible when passes are stacked. From the key `headerFields`.
    public internal(set) var header: [Field] = []
    /// The most important fields, in large type. From the key `primaryFields`.
    public internal(set) var primary: [Field] = []
    /// Below the primary fields. From the key `secondaryFields`.
    public internal(set) var secondary: [Field] = []
    /// Below or beside the secondary fields. From the key `auxiliaryFields`.
    public internal(set) var auxiliary: [Field] = []
    /// At the bottom of the front of a pass in the style ``PassStyle/posterGeneric``. From the key
    /// `footerFields`.
    public internal(set) var footer: [Field] = []
    /// On the back. From the key `backFields`.
    public internal(set) var back: [Field] = []
    /// Below a poster event ticket, or a boarding pass of iOS 26. From the key
    /// `additionalInfoFields`.
    public internal(set) var additionalInfo: [Field] = []

    /// The fields on the front.
    ///
    /// For example: `for field in pass.fields.front { print(field.value) }`
    public var front: [Field] { header + primary + secondary + auxiliary + footer }

    /// All fields, front to back.
    public var all: [Field] { front + additionalInfo + back }

    /// The first field with this key; nil if there is none.
    ///
    /// For example: `let boardingTime = pass.fields["boardingTime"]?.value`
    public subscript(key: String) -> Field? {
        all.first { $0.key.isExactly(key) }
    }
}

extension PassFields {
    /// The keys of the groups in pass.json.
    static let groups: [(key: String, group: any WritableKeyPath<PassFields, [Field]> & Sendable)] =
        [
            ("headerFields", \.header), ("primaryFields", \.primary),
            ("secondaryFields", \.secondary),
            ("auxiliaryFields", \.auxiliary), ("footerFields", \.footer),
            ("backFields", \.back), ("additionalInfoFields", \.additionalInfo),
        ]

    func map(_ transform: (Field) -> Field) -> PassFields {
        var mapped = self
        for (_, group) in PassFields.groups {
            mapped[keyPath: group] = self[keyPath: group].map(transform)
        }
        return mapped
    }
}
