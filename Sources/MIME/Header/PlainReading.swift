import Bytes

/// The reading of a plain header value.
struct PlainReading {
    /// In lower case.
    let word: String
    /// Other parameters that may be used.
    private(set) var values: [(kind: Kind, text: String)] = []
    private(set) var boundary: [UInt8]?

    enum Kind {
        case name, fileName, identifier
    }

    /// Nil if a name may be encoded, if there are several boundaries, or for message/partial, which
    /// has more parameters.
    init?(_ value: PlainValue, _ source: Span<UInt8>) {
        guard !source.isWord("message/partial", value.word) else { return nil }
        word = source.text(value.word, isLowercased: true)
        for index in 0..<value.count {
            let parameter = value[index]
            if source.isWord("boundary", parameter.name) {
                guard boundary == nil else { return nil }
                boundary = parameter.value.map { source[$0] }
                continue
            }
            let kind: Kind? =
                source.isWord("name", parameter.name)
                ? .name : source.isWord("filename", parameter.name) ? .fileName : nil
            if let kind {
                guard PlainReading.isPlain(source, parameter.value) else { return nil }
                values.append((kind, source.text(parameter.value)))
            }
            if PlainReading.isIdentifier(source, parameter.value) {
                values.append((.identifier, source.text(parameter.value)))
            }
        }
    }

    private static func isPlain(_ source: Span<UInt8>, _ value: Range<Int>) -> Bool {
        value.allSatisfy { source[$0] != UInt8(ascii: "=") && source[$0] != UInt8(ascii: "%") }
    }

    /// Whether a value has the form of an identifier: a reversed domain name.
    private static func isIdentifier(_ source: Span<UInt8>, _ value: Range<Int>) -> Bool {
        value.count <= Parameter.longestIdentifier
            && value.contains { source[$0] == UInt8(ascii: ".") }
            && value.allSatisfy { source[$0] != 0x20 }
    }
}
