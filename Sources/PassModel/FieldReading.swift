extension Field {
    init(_ reader: ObjectReader, _ oddities: inout Oddities) {
        var reader = ObjectReader(reader.rest, place: Field.place(of: reader))
        key = reader.string("key", &oddities) ?? ""
        if key.isEmpty {
            // VIOLATIONS.md, P22: no key.
            oddities.note(.missingFieldKey("key", place: reader.place))
        }
        label = reader.string("label", &oddities)
        attributedValue = reader.string("attributedValue", &oddities)
        changeMessage = reader.string("changeMessage", &oddities)
        dataDetectorTypes = reader.names("dataDetectorTypes", &oddities)
        textAlignment = reader.name("textAlignment", &oddities)
        dateStyle = reader.name("dateStyle", &oddities)
        timeStyle = reader.name("timeStyle", &oddities)
        ignoresTimeZone = reader.boolean("ignoresTimeZone", &oddities) ?? false
        isRelative = reader.boolean("isRelative", &oddities) ?? false
        currencyCode = reader.string("currencyCode", &oddities)
        numberStyle = reader.name("numberStyle", &oddities)
        row = reader.integer("row", &oddities)
        semantics = reader.object("semantics", &oddities) ?? [:]
        value = reader.fieldValue(
            isDate: dateStyle != nil || timeStyle != nil,
            isNumber: currencyCode != nil || numberStyle != nil, &oddities)
        unknownKeys = reader.rest
    }

    private static func place(of reader: ObjectReader) -> Oddity.Place {
        if case .string(let key) = reader.rest["key"] {
            .field(excerpt(key))
        } else {
            reader.place
        }
    }
}

extension PassFields {
    /// Reads the field groups of a style's dictionary.
    init(_ reader: inout ObjectReader, limit: Int, _ oddities: inout Oddities) {
        var keys: Set<ExactText> = []
        for (name, group) in PassFields.groups {
            let readers = reader.objects(name, &oddities)
            if readers.count > limit {
                oddities.note(.tooManyFields(group: name, limit: limit))
            }
            for fieldReader in readers.prefix(limit) {
                let field = Field(fieldReader, &oddities)
                if !field.key.isEmpty, !keys.insert(ExactText(field.key)).inserted {
                    oddities.note(.duplicateFieldKey(excerpt(field.key)))
                }
                self[keyPath: group].append(field)
            }
        }
    }
}

extension ObjectReader {
    fileprivate mutating func fieldValue(
        isDate: Bool, isNumber: Bool, _ oddities: inout Oddities
    ) -> FieldValue {
        switch take("value") {
        case nil:
            oddities.note(.missingFieldKey("value", place: place))
            return .text("")
        case .integer(let integer): return .integer(integer)
        case .number(let number): return .number(number)
        case .string(let text) where isDate:
            return passDate(text, "value", &oddities).map { .date($0, written: text) }
                ?? .text(text)
        case .string(let text) where isNumber:
            guard let number = finiteNumber(text) else { return .text(text) }
            oddities.note(.numberAsString(key: "value", place: place))
            return Int(text).map { .integer($0) } ?? .number(number)
        case .string(let text): return .text(text)
        case .some(let value):
            oddities.note(
                .wrongType(key: "value", place: place, found: value.kind, expected: .string))
            if case .bool(let bool) = value { return .text(String(bool)) }
            return .text("")
        }
    }
}
