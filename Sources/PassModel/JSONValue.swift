/// A JSON value of pass.json, for data that is not interpreted: `userInfo`, `semantics`, unknown
/// keys.
///
/// For example: `if case .string(let code) = pass.userInfo?["code"] { print(code) }`
public enum JSONValue: Sendable, Hashable {
    /// Null.
    case null
    /// A Boolean.
    case bool(Bool)
    /// A number without fraction and exponent that fits in 64 bits.
    case integer(Int)
    /// A number with a fraction or an exponent.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; the order of keys is not preserved.
    case object([ExactText: JSONValue])

    /// The value of a key, if this is an object that contains it.
    ///
    /// For example: `let tier = pass.userInfo?["customer"]?["tier"]`
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[ExactText(key)] } else { nil }
    }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    ///
    /// - Throws: `DecodingError` if the input is not valid.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            let members = try value.decode([String: JSONValue].self)
            self = .object(
                Dictionary(uniqueKeysWithValues: members.map { (ExactText($0), $1) }))
        }
    }

    /// Encodes the plain value, without a wrapper.
    ///
    /// - Throws: `EncodingError` for a number that the format cannot represent.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let array): try value.encode(array)
        case .object(let members):
            // Foundation's encoders consider keys equal by canonical equivalence.
            let sorted = members.sorted {
                $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8)
            }
            try value.encode(
                Dictionary(sorted.map { ($0.key.text, $0.value) }) { first, _ in first })
        }
    }
}

/// The type of a JSON value, found or expected.
///
/// The payload of ``PassError/notAnObject(_:)`` and
/// ``Oddity/wrongType(key:place:found:expected:)``.
public enum JSONKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The value null.
    case null
    /// True or false.
    case boolean
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An array that contains only objects.
    case arrayOfObjects
    /// An object.
    case object
}

extension JSONValue {
    package var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .integer, .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}
