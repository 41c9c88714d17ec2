/// A pass as one person reads it: texts that its pass.strings know are replaced.
public struct LocalizedPass: Sendable, Hashable {
    /// The pass itself.
    public let pass: Pass
    /// The name of the language folder that was chosen; nil when the pass stays as it is.
    public let language: String?

    fileprivate init(_ pass: Pass, _ language: String?) {
        self.pass = pass
        self.language = language
    }

    /// What the pass calls itself: the text beside its logo, else who issued it.
    public var localizedName: String { logoText ?? organizationName }
    /// What the pass is, in a few words.
    public var localizedDescription: String { translation(of: pass.description) }
    /// Who issued the pass.
    public var organizationName: String { translation(of: pass.organizationName) }
    /// Text beside the logo.
    public var logoText: String? { pass.logoText.map(translation) }
    /// Text beside the logo of a poster event ticket.
    public var eventLogoText: String? { pass.eventLogoText.map(translation) }

    /// The fields with labels, values and messages translated.
    public var fields: PassFields {
        pass.fields.map { field in
            var field = field
            field.label = field.label.map(translation)
            field.attributedValue = field.attributedValue.map(translation)
            field.changeMessage = field.changeMessage.map(translation)
            if case .text(let text) = field.value { field.value = .text(translation(of: text)) }
            return field
        }
    }

    /// The barcodes with the texts beside them translated.
    public var barcodes: [Barcode] {
        pass.barcodes.map { barcode in
            var barcode = barcode
            barcode.altText = barcode.altText.map(translation)
            return barcode
        }
    }

    /// The locations with their texts translated.
    public var locations: [Location] {
        pass.locations.map { location in
            var location = location
            location.relevantText = location.relevantText.map(translation)
            return location
        }
    }

    /// The beacons with their texts translated.
    public var beacons: [Beacon] {
        pass.beacons.map { beacon in
            var beacon = beacon
            beacon.relevantText = beacon.relevantText.map(translation)
            return beacon
        }
    }

    /// The value of the first field with this key.
    public func localizedValue(forFieldKey key: String) -> FieldValue? {
        fields[key]?.value
    }

    private func translation(of text: String) -> String {
        language.flatMap { pass.strings[$0]?[text] } ?? text
    }
}

extension Pass {
    /// The pass for a person who prefers these languages (BCP 47), the best first.
    public func localized(for preferredLanguages: [String]) -> LocalizedPass {
        LocalizedPass(self, chosenLanguage(from: localizations, for: preferredLanguages))
    }

    /// The value of the first field with this key, for a person who prefers these languages (BCP 47).
    public func localizedValue(
        forFieldKey key: String, preferredLanguages: [String]
    ) -> FieldValue? {
        localized(for: preferredLanguages).localizedValue(forFieldKey: key)
    }
}
