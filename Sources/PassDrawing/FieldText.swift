import PassModel

/// A field as displayed.
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

/// The number of fields of each group that Wallet displays.
struct FieldLimits {
    let header = 3
    let primary: Int
    let secondary = 4
    let auxiliary: Int
    let footer = 4
    /// The total of secondary and auxiliary fields, if they share a row.
    let together = 4

    init(_ style: PassStyle) {
        primary = style == .boardingPass ? 2 : 1
        auxiliary = style == .boardingPass ? 5 : 4
    }
}
