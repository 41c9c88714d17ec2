extension Pass {
    /// All texts of the pass in all its languages, one per line: issuer and description, fields
    /// front to back, and the texts of later events, barcodes, locations and beacons.
    package var searchableText: String {
        var texts = [organizationName, description, logoText ?? "", eventLogoText ?? ""]
        texts += upcomingEntries.map(\.name)
        for field in fields.all + upcomingEntries.flatMap(\.fields.all) {
            texts += [field.label ?? "", field.value.description, field.attributedValue ?? ""]
        }
        texts += barcodes.flatMap { [$0.altText ?? "", $0.message] }
        texts += locations.map { $0.relevantText ?? "" } + beacons.map { $0.relevantText ?? "" }
        let written = Set(texts.map(ExactText.init(_:)))
        for language in localizations {
            let table = strings[language] ?? [:]
            texts += table.keys.filter(written.contains).sorted().compactMap { table[$0] }
        }
        var seen: Set<ExactText> = [""]
        return texts.map { AttributedText($0).text }
            .filter { seen.insert(ExactText($0)).inserted }.joined(separator: "\n")
    }
}
