import Bytes

/// The values of one parameter, put together from what RFC 2231 spread and RFC 2047 encoded.
extension [Parameter] {
    /// Every reading of the values of a parameter as text, the preferred one first: RFC 2231 wins
    /// over the plain form that senders add for old programs (RFC 6266, 4.3).
    func texts(of name: String) -> [String] {
        var texts: [String] = []
        for value in joined(name) { texts.append(value.text) }
        for parameter in self where parameter.name == name && parameter.section == nil {
            for value in parameter.values {
                texts.append(
                    parameter.isExtended
                        ? ExtendedValue(value).text : EncodedWords.decode(value))
            }
        }
        return texts
    }

    /// Every reading of the values of a parameter as bytes, for boundaries.
    func bytes(of name: String) -> [[UInt8]] {
        var readings: [[UInt8]] = []
        for value in joined(name) { readings.append(value.bytes) }
        for parameter in self where parameter.name == name && parameter.section == nil {
            for value in parameter.values {
                readings.append(parameter.isExtended ? ExtendedValue(value).bytes : value)
            }
        }
        return readings
    }

    /// The sections of a value in the order of their numbers, whatever order they stand in. Where
    /// numbers stand twice, one value of the first of each and one of the last.
    private func joined(_ name: String) -> [ExtendedValue] {
        let sections = enumerated().filter { $1.name == name && $1.section != nil }
            .sorted { ($0.element.section ?? 0, $0.offset) < ($1.element.section ?? 0, $1.offset) }
            .map(\.element)
        guard !sections.isEmpty else { return [] }
        var first = ExtendedValue()
        var last = ExtendedValue()
        var isTwice = false
        for index in sections.indices {
            let section = sections[index]
            let follows = index > 0 && sections[index - 1].section == section.section
            let isFollowed =
                index + 1 < sections.count && sections[index + 1].section == section.section
            isTwice = isTwice || follows
            let value = section.values.first ?? []
            if !follows { first.append(value, isExtended: section.isExtended) }
            if !isFollowed { last.append(value, isExtended: section.isExtended) }
        }
        return isTwice ? [first, last] : [first]
    }
}

/// RFC 2231, 4: `charset'language'percent-encoded`.
private struct ExtendedValue {
    private var decoded: [UInt8] = []
    private var charset: String?
    /// Encoded sections that follow one another, decoded as one: RFC 2231, 4.1 has whole codes and a
    /// whole charset in each, and mailers that cut at a fixed width split them.
    private var encoded: [UInt8] = []

    init() {}

    init(_ value: [UInt8]) {
        append(value, isExtended: true)
    }

    var bytes: [UInt8] {
        var whole = self
        whole.flush()
        return whole.decoded
    }

    var text: String {
        var whole = self
        whole.flush()
        // Old mailers put encoded words into sections that are not marked as encoded.
        guard let charset = whole.charset else { return EncodedWords.decode(whole.decoded) }
        return Charset.decode(whole.decoded, charset)
    }

    mutating func append(_ value: [UInt8], isExtended: Bool) {
        if isExtended {
            encoded += value
        } else {
            flush()
            decoded += value
        }
    }

    private mutating func flush() {
        guard !encoded.isEmpty else { return }
        var rest = encoded[...]
        if charset == nil, decoded.isEmpty {
            let pieces = encoded.split(
                separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
            if pieces.count == 3 {
                charset = String(decoding: pieces[0], as: UTF8.self)
                rest = pieces[2]
            }
        }
        var index = rest.startIndex
        while index < rest.endIndex {
            if rest[index] == UInt8(ascii: "%"), index + 2 < rest.endIndex,
                let high = rest[index + 1].hexadecimalValue,
                let low = rest[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(rest[index])
                index += 1
            }
        }
        encoded.removeAll(keepingCapacity: true)
    }
}
