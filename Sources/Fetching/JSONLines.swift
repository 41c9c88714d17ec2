import FoundationEssentials

/// Values encoded as lines of JSON.
package enum JSONLines {
    /// The line, including its line feed.
    package static func line(_ value: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder().encode(value)) + [UInt8(ascii: "\n")]
    }

    package static func value<Value: Decodable>(
        _ type: Value.Type, from line: [UInt8]
    ) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}
