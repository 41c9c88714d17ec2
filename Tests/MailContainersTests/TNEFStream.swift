import Bytes

/// Writes TNEF streams whose fields can be wrong.
enum TNEFStream {
    static let rendering = attribute(0x0006_9002, [UInt8](repeating: 0, count: 14))

    static func make(_ attributes: [[UInt8]], codePage: Int = 1252) -> [UInt8] {
        number(0x223E_9F78) + [1, 0]
            + attribute(0x0006_9007, number(codePage) + number(0), level: 1)
            + attributes.flatMap(\.self)
    }

    /// An attribute with the length of its data, or the given length, and with zeros for a
    /// checksum.
    static func attribute(
        _ id: Int, _ data: [UInt8], level: UInt8 = 2, length: Int? = nil
    ) -> [UInt8] {
        [level] + number(id) + number(length ?? data.count) + data + [0, 0]
    }

    static func title(_ text: String) -> [UInt8] { attribute(0x0001_8010, Array(text.utf8) + [0]) }

    static func data(_ text: String) -> [UInt8] { attribute(0x0006_800F, Array(text.utf8)) }

    static func properties(_ properties: [[UInt8]], announced: Int? = nil) -> [UInt8] {
        attribute(
            0x0006_9005, number(announced ?? properties.count) + properties.flatMap(\.self))
    }

    /// A property with its tag. The data is written unchanged.
    static func property(_ type: Int, _ id: Int, _ rest: [UInt8]) -> [UInt8] {
        number(type, 2) + number(id, 2) + rest
    }

    /// A property of variable length, padded.
    static func property(_ type: Int, _ id: Int, values: [[UInt8]]) -> [UInt8] {
        property(
            type, id,
            number(values.count)
                + values.flatMap {
                    number($0.count) + $0 + [UInt8](repeating: 0, count: (4 - $0.count % 4) % 4)
                })
    }

    static func longName(_ text: String) -> [UInt8] {
        property(0x1F, 0x3707, values: [text.utf16.flatMap { number(Int($0), 2) } + [0, 0]])
    }

    static func propertyData(_ text: String) -> [UInt8] {
        property(0x0102, 0x3701, values: [Array(text.utf8)])
    }

    static func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
