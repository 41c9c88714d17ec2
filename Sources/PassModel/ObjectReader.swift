internal import Bytes
package import Foundation

/// Reads the keys of a JSON object, converts the values to the expected types, and removes the
/// keys. The remaining keys are unknown. VIOLATIONS.md, P16: values of other types. P20: invalid
/// ones.
struct ObjectReader {
    private(set) var rest: [ExactText: JSONValue]
    let place: Oddity.Place

    init(_ members: [ExactText: JSONValue], place: Oddity.Place) {
        rest = members
        self.place = place
    }

    /// Null counts as absent.
    mutating func take(_ key: String) -> JSONValue? {
        guard let value = rest.removeValue(forKey: ExactText(key)), value != .null else {
            return nil
        }
        return value
    }

    mutating func string(_ key: String, _ oddities: inout Oddities) -> String? {
        switch take(key) {
        case nil: return nil
        case .string(let text): return text
        case .some(let value):
            noteType(key, value, .string, &oddities)
            return value.text
        }
    }

    mutating func number(_ key: String, _ oddities: inout Oddities) -> Double? {
        switch take(key) {
        case nil: return nil
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        case .some(let value):
            // VIOLATIONS.md, P14: a number as a string.
            if case .string(let text) = value, let number = finiteNumber(text) {
                oddities.note(.numberAsString(key: key, place: place))
                return number
            }
            noteType(key, value, .number, &oddities)
            return nil
        }
    }

    mutating func integer(_ key: String, _ oddities: inout Oddities) -> Int? {
        number(key, &oddities).flatMap { Int(exactly: $0.rounded()) }
    }

    mutating func boolean(_ key: String, _ oddities: inout Oddities) -> Bool? {
        switch take(key) {
        case nil: return nil
        case .bool(let bool): return bool
        // VIOLATIONS.md, P15: a number or string.
        case .integer(let integer) where integer == 0 || integer == 1:
            oddities.note(.booleanAsNumber(key: key, place: place))
            return integer == 1
        case .some(let value):
            if case .string(let text) = value, let bool = booleanValue(text) {
                oddities.note(.booleanAsString(key: key, place: place))
                return bool
            }
            noteType(key, value, .boolean, &oddities)
            return nil
        }
    }

    mutating func date(_ key: String, _ oddities: inout Oddities) -> PassDate? {
        guard let text = string(key, &oddities) else { return nil }
        return passDate(text, key, &oddities)
    }

    mutating func color(_ key: String, _ oddities: inout Oddities) -> PassColor? {
        guard let text = string(key, &oddities) else { return nil }
        guard let color = PassColor(text) else {
            oddities.note(.invalidColor(key: key, place: place, text: excerpt(text)))
            return nil
        }
        if !text.asciiLowercased.contains("rgb") {
            oddities.note(.hexadecimalColor(key: key, place: place))
        }
        return color
    }

    mutating func url(_ key: String, _ oddities: inout Oddities) -> URL? {
        guard let text = string(key, &oddities), !text.isEmpty else { return nil }
        guard let url = passURL(text) else {
            oddities.note(.invalidURL(key: key, place: place, text: excerpt(text)))
            return nil
        }
        return url
    }

    /// The enumeration case with this raw value.
    mutating func name<Name: RawRepresentable<String>>(
        _ key: String, _ oddities: inout Oddities
    ) -> Name? {
        guard let text = string(key, &oddities) else { return nil }
        return knownName(text, key, &oddities)
    }

    mutating func names<Name: RawRepresentable<String>>(
        _ key: String, _ oddities: inout Oddities
    ) -> [Name]? {
        array(key, &oddities)?.compactMap { value -> Name? in
            guard case .string(let text) = value else { return nil }
            return knownName(text, key, &oddities)
        }
    }

    mutating func strings(_ key: String, _ oddities: inout Oddities) -> [String] {
        items(key, &oddities).compactMap { item in
            var item = item
            return item.string("item", &oddities)
        }
    }

    mutating func integers(_ key: String, _ oddities: inout Oddities) -> [Int] {
        items(key, &oddities).compactMap { item in
            var item = item
            return item.integer("item", &oddities)
        }
    }

    mutating func object(_ key: String, _ oddities: inout Oddities) -> [ExactText: JSONValue]? {
        switch take(key) {
        case nil: return nil
        case .object(let members): return members
        case .some(let value):
            noteType(key, value, .object, &oddities)
            return nil
        }
    }

    /// The objects of an array. VIOLATIONS.md, P17: or a single object.
    mutating func objects(_ key: String, _ oddities: inout Oddities) -> [ObjectReader] {
        if case .object = rest[ExactText(key)] {
            oddities.note(.wrongType(key: key, place: place, found: .object, expected: .array))
            return object(key, &oddities).map { [ObjectReader($0, place: .object(key))] } ?? []
        }
        return (array(key, &oddities) ?? []).enumerated().compactMap { index, value in
            guard case .object(let members) = value else {
                noteType(key, value, .arrayOfObjects, &oddities)
                return nil
            }
            return ObjectReader(members, place: .object("\(key)[\(index)]"))
        }
    }

    func passDate(_ text: String, _ key: String, _ oddities: inout Oddities) -> PassDate? {
        guard let date = PassDate(text) else {
            oddities.note(.invalidDate(key: key, place: place, text: excerpt(text)))
            return nil
        }
        if !date.isStandard {
            oddities.note(.dateForm(key: key, place: place, text: excerpt(text)))
        }
        return date
    }

    /// The elements of an array, each as an object with the key `item`.
    private mutating func items(_ key: String, _ oddities: inout Oddities) -> [ObjectReader] {
        (array(key, &oddities) ?? []).map { ObjectReader(["item": $0], place: .object(key)) }
    }

    private mutating func array(_ key: String, _ oddities: inout Oddities) -> [JSONValue]? {
        switch take(key) {
        case nil: return nil
        case .array(let elements): return elements
        case .some(let value):
            noteType(key, value, .array, &oddities)
            return nil
        }
    }

    private func knownName<Name: RawRepresentable<String>>(
        _ text: String, _ key: String, _ oddities: inout Oddities
    ) -> Name? {
        let name = Name(exactly: text)
        if name == nil {
            oddities.note(.unknownValue(key: key, place: place, text: excerpt(text)))
        }
        return name
    }

    private func noteType(
        _ key: String, _ value: JSONValue, _ expected: JSONKind, _ oddities: inout Oddities
    ) {
        oddities.note(.wrongType(key: key, place: place, found: value.kind, expected: expected))
    }
}

/// The beginning of a text, for messages.
package func excerpt(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(60)
    return start.endIndex == text.endIndex ? text : String(String.UnicodeScalarView(start)) + "…"
}

/// The number in a text; excludes "nan", "infinity" and hexadecimal.
package func finiteNumber(_ text: String) -> Double? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.utf8.count <= 400, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
        let number = Double(text), number.isFinite
    else { return nil }
    return number
}

/// The URL in a text; nil without a scheme.
package func passURL(_ text: String) -> URL? {
    URL(string: text).flatMap { $0.scheme == nil ? nil : $0 }
}

/// The Boolean that issuers mean by a text.
package func booleanValue(_ text: String) -> Bool? { truth[text.asciiLowercased] }

private let truth = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]

extension JSONValue {
    /// A scalar as text; nil for arrays and objects.
    fileprivate var text: String? {
        switch self {
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .bool(let bool): String(bool)
        case .string(let text): text
        case .null, .array, .object: nil
        }
    }
}
