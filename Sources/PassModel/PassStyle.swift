/// The style of a pass, which determines its layout.
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

/// The means of transport of a boarding pass.
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
public struct PassFields: Sendable, Hashable {
    /// At the top right, visible when passes are stacked.
    public internal(set) var header: [Field] = []
    /// The most important fields, in large type.
    public internal(set) var primary: [Field] = []
    /// Below the primary fields.
    public internal(set) var secondary: [Field] = []
    /// Below or beside the secondary fields.
    public internal(set) var auxiliary: [Field] = []
    /// At the bottom of the front of a pass in the style ``PassStyle/posterGeneric``.
    public internal(set) var footer: [Field] = []
    /// On the back.
    public internal(set) var back: [Field] = []
    /// Below a poster event ticket, or a boarding pass of iOS 26.
    public internal(set) var additionalInfo: [Field] = []

    /// All fields, front to back.
    public var all: [Field] {
        header + primary + secondary + auxiliary + footer + additionalInfo + back
    }

    /// The first field with this key.
    public subscript(key: String) -> Field? {
        all.first { $0.key == key }
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
