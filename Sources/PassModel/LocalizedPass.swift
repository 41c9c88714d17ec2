/// A pass in the user's language: texts found in its pass.strings are translated.
///
/// ```swift
/// let localized = pass.localized(for: ["pt-BR", "en"])
/// print(localized.localizedName, localized.localizedDescription)
/// ```
public struct LocalizedPass: Sendable, Hashable {
    /// The pass itself.
    public let pass: Pass
    /// The language folders in the order in which a text is looked up.
    private let folders: [String]
    /// The name of the chosen language folder; nil if the pass has none.
    public var language: String? { folders.first }

    fileprivate init(_ pass: Pass, _ folders: [String]) {
        self.pass = pass
        self.folders = folders
    }

    /// The name for display: the logo text, or else the issuer. In PassKit: `PKPass.localizedName`.
    public var localizedName: String { logoText ?? organizationName }
    /// The short description. In PassKit: `PKPass.localizedDescription`.
    public var localizedDescription: String { translation(of: pass.description) }
    /// The issuer. From the key `organizationName`.
    public var organizationName: String { translation(of: pass.organizationName) }
    /// Text beside the logo.
    public var logoText: String? { pass.logoText.map(translation) }
    /// Text beside the logo of a poster event ticket.
    public var eventLogoText: String? { pass.eventLogoText.map(translation) }

    /// The fields with translated labels, values and messages.
    public var fields: PassFields { translated(pass.fields) }

    /// The later events with translated names and fields. From the key `upcomingPassInformation`.
    public var upcomingEntries: [UpcomingEntry] {
        pass.upcomingEntries.map { entry in
            var entry = entry
            entry.name = translation(of: entry.name)
            entry.fields = translated(entry.fields)
            return entry
        }
    }

    /// The primary fields alone, for the names of a pass in all its languages.
    var primaryFields: [Field] { pass.fields.primary.prefix(3).map(translated) }

    private func translated(_ fields: PassFields) -> PassFields { fields.map(translated) }

    private func translated(_ field: Field) -> Field {
        var field = field
        field.label = field.label.map(translation)
        field.attributedValue = field.attributedValue.map(translation)
        field.changeMessage = field.changeMessage.map(translation)
        if case .text(let text) = field.value { field.value = .text(translation(of: text)) }
        return field
    }

    /// The barcodes with translated alternative texts.
    public var barcodes: [Barcode] {
        pass.barcodes.map { barcode in
            var barcode = barcode
            barcode.altText = barcode.altText.map(translation)
            return barcode
        }
    }

    /// The locations with translated texts.
    public var locations: [Location] {
        pass.locations.map { location in
            var location = location
            location.relevantText = location.relevantText.map(translation)
            return location
        }
    }

    /// The beacons with translated texts.
    public var beacons: [Beacon] {
        pass.beacons.map { beacon in
            var beacon = beacon
            beacon.relevantText = beacon.relevantText.map(translation)
            return beacon
        }
    }

    /// The value of the first field with this key; nil if there is none. In PassKit:
    /// `PKPass.localizedValue(forFieldKey:)`.
    ///
    /// For example: `pass.localized(for: ["fr", "en"]).localizedValue(forFieldKey: "seat")`
    public func localizedValue(forFieldKey key: String) -> FieldValue? {
        fields[key]?.value
    }

    private func translation(of text: String) -> String {
        let key = ExactText(text)
        return folders.lazy.compactMap { pass.strings[$0]?[key] }.first ?? text
    }
}

extension Pass {
    /// The pass in the best of these languages (BCP 47, in order of preference), as
    /// `Bundle.preferredLocalizations(from:forPreferences:)` chooses it: if the pass has none of
    /// them, in the language of `Base.lproj`, in English, or else in its first language. A text that
    /// this language lacks is in the next best one.
    ///
    /// For example: `let german = pass.localized(for: ["de-CH", "de", "fr"])`
    public func localized(for preferredLanguages: [String]) -> LocalizedPass {
        let order = languageOrder(of: localizations, for: preferredLanguages)
        return LocalizedPass(self, order.suitable + order.others)
    }

    /// The value of the first field with this key, in the best of these languages (BCP 47); nil if
    /// there is none. In PassKit: `PKPass.localizedValue(forFieldKey:)`.
    ///
    /// For example: `pass.localizedValue(forFieldKey: "gate", preferredLanguages: ["pt-BR", "en"])`
    public func localizedValue(
        forFieldKey key: String, preferredLanguages: [String]
    ) -> FieldValue? {
        localized(for: preferredLanguages).localizedValue(forFieldKey: key)
    }
}
