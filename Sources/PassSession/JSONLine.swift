/// Encodes a record as one line of JSON, with the keys in the order of declaration.
///
/// Foundation's encoder sorts the keys or leaves them in no order. The documented order is easier
/// to read, and golden tests check it.
package func jsonLine(_ record: some Encodable) throws -> String {
    let encoder = OrderedEncoder()
    try record.encode(to: encoder)
    return encoder.node.text
}

/// A JSON string (RFC 8259, 7): quotes, backslashes and C0 characters are escaped, nothing else.
func jsonString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case _ where scalar.value < 0x20:
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}

/// A JSON value under construction.
private final class Node {
    enum Value {
        case scalar(String)
        case array([Node])
        case object([(key: String, value: Node)])
    }
    var value = Value.scalar("null")

    var text: String {
        switch value {
        case .scalar(let text):
            text
        case .array(let items):
            "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(jsonString($0.key)):\($0.value.text)" }.joined(separator: ",")
                + "}"
        }
    }

    func set(_ value: some Encodable) throws {
        switch value {
        case let text as String: self.value = .scalar(jsonString(text))
        case let flag as Bool: self.value = .scalar(flag ? "true" : "false")
        case let number as any BinaryInteger: self.value = .scalar("\(number)")
        case let number as Double: self.value = .scalar(text(of: number))
        default: try value.encode(to: OrderedEncoder(self))
        }
    }

    func member(_ key: String) -> Node {
        let node = Node()
        if case .object(let members) = value {
            value = .object(members + [(key, node)])
        } else {
            value = .object([(key, node)])
        }
        return node
    }

    func item() -> Node {
        let node = Node()
        if case .array(let items) = value {
            value = .array(items + [node])
        } else {
            value = .array([node])
        }
        return node
    }

    private func text(of number: Double) -> String {
        // JSON has no infinity and no NaN.
        guard number.isFinite else { return "null" }
        return Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

private struct OrderedEncoder: Encoder {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ node: Node = Node()) {
        self.node = node
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.value = .object([])
        return KeyedEncodingContainer(Members<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.value = .array([])
        return Items(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(node: node)
    }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) { _ = node.member(key.stringValue) }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        try node.member(key.stringValue).set(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    {
        OrderedEncoder(node.member(key.stringValue)).container(keyedBy: keyedBy)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        OrderedEncoder(node.member(key.stringValue)).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { OrderedEncoder(node.member("super")) }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        OrderedEncoder(node.member(key.stringValue))
    }
}

private struct Items: UnkeyedEncodingContainer {
    let node: Node
    var count = 0
    var codingPath: [any CodingKey] { [] }

    init(node: Node) {
        self.node = node
    }

    private mutating func next() -> Node {
        count += 1
        return node.item()
    }

    mutating func encodeNil() { _ = next() }

    mutating func encode(_ value: some Encodable) throws { try next().set(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type)
        -> KeyedEncodingContainer<Nested>
    {
        OrderedEncoder(next()).container(keyedBy: keyedBy)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        OrderedEncoder(next()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { OrderedEncoder(next()) }
}

private struct Single: SingleValueEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { node.value = .scalar("null") }

    // `String.encode(to:)` calls this, so do not call it back.
    mutating func encode(_ value: some Encodable) throws { try node.set(value) }
}
