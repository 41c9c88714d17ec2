internal import Foundation
internal import PassModel

/// What a newer version of a pass says differently, in what a person sees of it.
struct PassChanges {
    let old: Pass
    let new: Pass
    let reader: Reader

    /// `Gate  4 -> 7`, escaped; none where only what nobody sees is different.
    var lines: [String] {
        let before = entries(old)
        let after = entries(new)
        let values = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
        let names = Set(after.map(\.name))
        var rows: [[String]] = []
        for entry in after where values[entry.name] != entry.value {
            rows.append([shown(entry.label), change(values[entry.name], entry.value)])
        }
        for entry in before where !names.contains(entry.name) {
            rows.append([shown(entry.label), change(entry.value, nil)])
        }
        return aligned(rows)
    }

    private struct Entry {
        /// What makes it the same in both versions.
        let name: String
        let label: String
        let value: String
    }

    private func entries(_ pass: Pass) -> [Entry] {
        let localized = pass.localized(for: reader.languages)
        var entries = [
            Entry(name: "organization", label: "Issuer", value: localized.organizationName),
            Entry(name: "logo", label: "Logo text", value: localized.logoText ?? ""),
            Entry(
                name: "description", label: "Description", value: localized.localizedDescription),
        ]
        // A key is unique within its pass; where it is not, the order decides.
        var uses: [String: Int] = [:]
        for field in localized.fields.all {
            let label = field.label ?? ""
            let name = "field \(field.key.isEmpty ? label : field.key)"
            let number = uses[name, default: 0]
            uses[name] = number + 1
            entries.append(
                Entry(
                    name: "\(name) \(number)", label: label.isEmpty ? field.key : label,
                    value: field.attributedText?.text ?? reader.value(of: field)))
        }
        let codes = localized.barcodes.map { "\(barcodeInWords($0.format)) \($0.message)" }
        entries.append(Entry(name: "code", label: "Code", value: codes.joined(separator: ", ")))
        let dates = [("Relevant", pass.relevantDate), ("Expires", pass.expirationDate)]
        for (label, date) in dates {
            entries.append(
                Entry(name: label, label: label, value: date.map(reader.shortMoment) ?? ""))
        }
        let standing = pass.isVoided ? "voided" : "in force"
        entries.append(Entry(name: "voided", label: "Validity", value: standing))
        return entries.filter { !$0.value.isEmpty }
    }

    private func change(_ old: String?, _ new: String?) -> String {
        switch (old, new) {
        case (let old?, let new?): "\(shown(old)) -> \(shown(new))"
        case (nil, let new?): "new: \(shown(new))"
        case (let old?, nil): "no longer: \(shown(old))"
        case (nil, nil): ""
        }
    }

    /// In one line, which has room for two such texts.
    private func shown(_ text: String) -> String {
        clipped(text.replacing("\n", with: " ").escaped, to: 60)
    }
}
