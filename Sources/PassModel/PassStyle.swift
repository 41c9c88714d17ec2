/// The kind of a pass, which decides how it looks.
public enum PassStyle: String, Sendable, CaseIterable, Codable {
    /// For a journey.
    case boardingPass
    /// For a discount or an offer.
    case coupon
    /// For an event: a concert, a match, a film.
    case eventTicket
    /// For whatever has no style of its own.
    case generic
    /// For a shop: loyalty, points, a balance.
    case storeCard
}

/// What a boarding pass is good for.
public enum TransitType: String, Sendable, CaseIterable, Codable {
    /// A flight.
    case air = "PKTransitTypeAir"
    /// A journey by boat.
    case boat = "PKTransitTypeBoat"
    /// A journey by bus.
    case bus = "PKTransitTypeBus"
    /// A journey by something else.
    case generic = "PKTransitTypeGeneric"
    /// A journey by train.
    case train = "PKTransitTypeTrain"
}

/// The fields of a pass, group by group, each in the order of the pass.
public struct PassFields: Sendable, Hashable {
    /// At the top right, seen when passes are stacked.
    public internal(set) var header: [Field] = []
    /// The most important ones, in large type.
    public internal(set) var primary: [Field] = []
    /// Below the primary ones.
    public internal(set) var secondary: [Field] = []
    /// Below or beside the secondary ones.
    public internal(set) var auxiliary: [Field] = []
    /// On the back.
    public internal(set) var back: [Field] = []
    /// Below a poster event ticket and a boarding pass of iOS 26.
    public internal(set) var additionalInfo: [Field] = []

    /// Every field, front to back.
    public var all: [Field] {
        header + primary + secondary + auxiliary + additionalInfo + back
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
            ("auxiliaryFields", \.auxiliary), ("backFields", \.back),
            ("additionalInfoFields", \.additionalInfo),
        ]

    func map(_ transform: (Field) -> Field) -> PassFields {
        var mapped = self
        for (_, group) in PassFields.groups {
            mapped[keyPath: group] = self[keyPath: group].map(transform)
        }
        return mapped
    }
}
