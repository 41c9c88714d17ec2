internal import Bytes
internal import PassModel

/// The keys that the languages of a pass translate.
struct Translations {
    /// The keys whose texts in some language contain `%@`.
    private(set) var messages: Set<ExactText> = []
    private var keys: Set<ExactText> = []

    init(_ pass: Pass?) {
        for table in (pass?.strings ?? [:]).values {
            for (key, text) in table {
                keys.insert(key)
                if text.contains("%@") { messages.insert(key) }
            }
        }
    }

    /// Whether a text of pass.json is probably meant as a key, but no language has it.
    ///
    /// - Parameters:
    ///   - key: The key of the text in pass.json.
    ///   - object: The object with this key.
    func lackKey(_ text: String, as key: ExactText, in object: PassSchema.Object) -> Bool {
        guard localizedKeys[object]?.contains(key) ?? false, text.utf8.count <= 100,
            !keys.contains(ExactText(text))
        else { return false }
        let isLabel = key == "label"
        return isKey(text, separator: UInt8(ascii: "_"), hasNumbers: isLabel)
            || isLabel && isKey(text, separator: UInt8(ascii: "."), hasNumbers: false)
    }
}

/// The texts that Wallet translates.
private let localizedKeys: [PassSchema.Object: Set<ExactText>] = [
    .pass: ["organizationName", "description", "logoText", "eventLogoText"],
    .field: ["label", "value", "attributedValue", "changeMessage"],
    .barcode: ["altText"], .location: ["relevantText"], .beacon: ["relevantText"],
    .upcomingEntry: ["name"],
]

/// Whether a text has the form of a key: `GATE_LABEL`, `label.gate`. Others may be meant as they
/// are: names, codes, numbers.
private func isKey(_ text: String, separator: UInt8, hasNumbers: Bool) -> Bool {
    let words = text.utf8.split(separator: separator, omittingEmptySubsequences: false)
    guard words.count > 1, words[0].contains(where: \.isASCIILetter) else { return false }
    return words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
            && (hasNumbers || word.contains(where: \.isASCIILetter))
    }
}
