import Barcodes
import PassModel

/// The text of a face for screen readers, one line per item, from top to bottom.
struct SpokenText {
    let text: String

    init(_ layout: FaceLayout) {
        let pass = layout.pass
        let limits = FieldLimits(layout.style)
        var lines = [ShownText(pass.localizedName).text]
        lines.append(ShownText(pass.localizedDescription).text)
        if let mark = layout.mark { lines.append(mark) }
        let fields =
            layout.texts(pass.fields.header, limits.header)
            + layout.texts(pass.fields.primary, limits.primary)
            + layout.texts(pass.fields.secondary, limits.secondary)
            + layout.texts(pass.fields.auxiliary, limits.auxiliary)
            + layout.texts(pass.fields.footer, limits.footer)
        for field in fields where !field.isEmpty {
            lines.append(
                field.label.isEmpty
                    ? field.value.text : "\(field.label.text): \(field.value.text)")
        }
        if let barcode = layout.barcode {
            let text = ShownText(barcode.text).text
            lines.append(text.isEmpty ? Words.barcode : "\(Words.barcode): \(text)")
        }
        var seen: Set<String> = [""]
        text = lines.filter { seen.insert($0).inserted }.joined(separator: "\n")
    }
}
