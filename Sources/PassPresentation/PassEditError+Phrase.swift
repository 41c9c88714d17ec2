internal import PassModel
package import PassSigning

extension PassEditError: Worded {
    package var phrase: Phrase {
        switch self {
        case .pass(let error): error.phrase
        case .unknownKey(let key, let fields):
            Phrase(
                "no field has the key '{name}', and pass.json has no such key; fields: {names}",
                ["name": .text(key), "names": .text(fields.joined(separator: ", "))])
        case .fixedKey(let key):
            Phrase("'{name}' is the same in all versions of a pass", ["name": .text(key)])
        case .notScalar(let key):
            Phrase("the value of '{name}' is a list or an object", ["name": .text(key)])
        case .attributedField(let key):
            Phrase(
                "the field '{name}' has an attributedValue, which Wallet shows instead of its value",
                ["name": .text(key)])
        case .wrongType(let key, let value, let type):
            phrase(key, value, type)
        }
    }

    private func phrase(_ key: String, _ value: String, _ type: ValueType) -> Phrase {
        switch type {
        case .number:
            Phrase(
                "'{text}' for '{name}' is not a JSON number",
                ["name": .text(key), "text": .text(value)])
        case .boolean:
            Phrase(
                "'{text}' for '{name}' is neither true nor false",
                ["name": .text(key), "text": .text(value)])
        case .date:
            placed(key, Phrase("the date '{text}' is not a W3C date", ["text": .text(value)]))
        case .moment:
            placed(
                key,
                Phrase(
                    "the date '{text}' is not of the form 2026-05-01T19:30+02:00",
                    ["text": .text(value)]))
        case .color: placed(key, Phrase("not a colour: {text}", ["text": .text(value)]))
        case .url: placed(key, Phrase("not a URL: {text}", ["text": .text(value)]))
        }
    }

    private func placed(_ key: String, _ reason: Phrase) -> Phrase {
        .joined([.verbatim(key), reason], separator: ": ")
    }
}
