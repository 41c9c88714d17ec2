import Bytes

/// The value of Content-Type, Content-Disposition or Content-Transfer-Encoding: a leading word and
/// parameters (RFC 2045, 5.1; RFC 2183), parsed leniently.
package struct HeaderValue: Sendable {
    /// The leading word in lower case, without comments, quotes and white space: `text/plain`.
    package let word: String
    package let parameters: [Parameter]
    /// Whether parameters were dropped or cut because of a limit.
    package let isCut: Bool

    package init(_ bytes: [UInt8], limit: Int) {
        var scanner = ValueScanner(bytes)
        word = scanner.word()
        var parameters: [Parameter] = []
        while parameters.count < limit, let parameter = scanner.parameter() {
            parameters.append(parameter)
        }
        isCut =
            parameters.count == limit && scanner.parameter() != nil
            || parameters.contains(where: \.isCut)
        self.parameters = parameters
    }

    /// The value as written and, if an encoded word replaces the leading word or a parameter, the
    /// decoded value too (VIOLATIONS.md, M88).
    static func readings(_ bytes: [UInt8], limit: Int) -> [HeaderValue] {
        let value = HeaderValue(bytes, limit: limit)
        guard bytes.count <= longestEncoded, beginsWithEncodedWord(bytes) else { return [value] }
        return [value, HeaderValue(Array(EncodedWords.decode(bytes).utf8), limit: limit)]
    }

    /// Longer values are not decoded as a whole, in bytes.
    private static let longestEncoded = 1 << 20

    private static func beginsWithEncodedWord(_ bytes: [UInt8]) -> Bool {
        var before = UInt8(ascii: ";")
        for index in bytes.indices where !bytes[index].isWhiteSpace {
            if before == UInt8(ascii: ";"), bytes.span.hasPrefix("=?", at: index) { return true }
            before = bytes[index]
        }
        return false
    }
}

/// One parameter as written; RFC 2231 may spread a value over several.
package struct Parameter: Sendable {
    /// In lower case, without the section and the asterisks of RFC 2231.
    package let name: String
    /// The number after the first asterisk: `filename*2`.
    let section: Int?
    /// Whether the value is percent-encoded: `filename*`, `filename*2*`.
    let isExtended: Bool
    /// The values that mail programs read from it, the usual one first.
    let values: [[UInt8]]
    /// Whether only the end of the value is kept, the significant part of a name.
    let isCut: Bool

    init(name: String, section: Int?, isExtended: Bool, values: [[UInt8]]) {
        self.name = name
        self.section = section
        self.isExtended = isExtended
        isCut = values.contains { $0.count > Parameter.longestValue }
        self.values =
            isCut
            ? values.map { Array($0.suffix(Parameter.longestValue)) } : values
    }

    /// The longest value that is kept whole, in bytes.
    private static let longestValue = 64 << 10

    /// The longest value that may be a uniform type identifier, in bytes.
    static let longestIdentifier = 255
}
