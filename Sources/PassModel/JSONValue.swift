/// A value of JSON as it stands in pass.json, for what the pass keeps to itself: `userInfo`,
/// `semantics`, keys that are not known here.
public enum JSONValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int)
    /// A number with a fraction or an exponent.
    case number(Double)
    /// Text.
    case string(String)
    /// A list, in its order.
    case array([JSONValue])
    /// Values by their keys; the order is not kept.
    case object([String: JSONValue])

    /// The value of a key, when this is an object that has it.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }
}

extension JSONValue: Codable {
    /// Reads whatever value stands next.
    ///
    /// - Throws: The decoder's `DecodingError` when there is none, or its text is no JSON.
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
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Writes the value itself, without a wrapper that names its case.
    ///
    /// - Throws: The encoder's `EncodingError` for a number that its format cannot hold.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let array): try value.encode(array)
        case .object(let members): try value.encode(members)
        }
    }
}

extension JSONValue {
    /// What it is, in the words of a message to a person.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
