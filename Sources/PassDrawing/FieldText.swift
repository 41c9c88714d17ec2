import PassModel

/// A field as a person reads it.
struct FieldText: Sendable, Hashable {
    let label: ShownText
    let value: ShownText
    let alignment: TextAlignment?

    init(_ field: Field, for options: FaceOptions) {
        label = ShownText(field.label ?? "")
        value = ShownText(
            field.shownText(
                locale: options.locale, timeZone: options.timeZone, now: options.now))
        alignment = field.textAlignment
    }

    var isEmpty: Bool { label.isEmpty && value.isEmpty }
}

/// How many fields of each group Wallet has room for.
struct FieldLimits {
    let header = 3
    let primary: Int
    let secondary = 4
    let auxiliary: Int
    /// Of secondary and auxiliary fields together, where these share a row.
    let together = 4

    init(_ style: PassStyle) {
        primary = style == .boardingPass ? 2 : 1
        auxiliary = style == .boardingPass ? 5 : 4
    }
}
