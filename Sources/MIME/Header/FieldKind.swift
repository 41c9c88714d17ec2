import Bytes

/// What a header field is used for.
enum FieldKind: Sendable {
    case type, disposition, encoding
    /// A field that may contain a file name (VIOLATIONS.md, M34): Content-Description,
    /// Content-Location.
    case name
    /// A uniform type identifier: `X-Apple-UTI`, `Content-UTI`, `X-Uniform-Type-Identifier`.
    case identifier
    /// X-Apple-Content-Length, of a body that Apple Mail removed.
    case takenOut
    /// X-Mozilla-External-Attachment-URL, of a body that Thunderbird moved to a file.
    case detached
    /// X-Mozilla-Altered, of a body that Thunderbird moved or deleted.
    case altered
    /// Any other field that is read.
    case other

    /// Nil for a field that is not used, as most are.
    init?(_ source: Span<UInt8>, _ name: Range<Int>) {
        guard !name.isEmpty else { return nil }
        func isWord(_ word: StaticString) -> Bool { source.isWord(word, name) }
        func ends(with word: StaticString) -> Bool {
            let start = name.upperBound - word.utf8CodeUnitCount
            return start >= name.lowerBound && source.hasPrefix(caseInsensitive: word, at: start)
        }
        let isKnown: Bool
        switch source[name.lowerBound].asciiLowercased {
        case UInt8(ascii: "c"):
            isKnown = source.hasPrefix(caseInsensitive: "content-", at: name.lowerBound)
            if isWord("content-type") {
                self = .type
                return
            } else if isWord("content-disposition") {
                self = .disposition
                return
            } else if isWord("content-transfer-encoding") {
                self = .encoding
                return
            } else if isWord("content-description") || isWord("content-location") {
                self = .name
                return
            }
        case UInt8(ascii: "d"): isKnown = isWord("date")
        case UInt8(ascii: "f"): isKnown = isWord("from")
        case UInt8(ascii: "m"): isKnown = isWord("message-id")
        case UInt8(ascii: "s"): isKnown = isWord("subject")
        case UInt8(ascii: "x"):
            isKnown = false
            if isWord("x-apple-content-length") {
                self = .takenOut
                return
            } else if isWord("x-mozilla-external-attachment-url") {
                self = .detached
                return
            } else if isWord("x-mozilla-altered") {
                self = .altered
                return
            }
        default: isKnown = false
        }
        switch source[name.upperBound - 1].asciiLowercased {
        case UInt8(ascii: "i") where ends(with: "uti"),
            UInt8(ascii: "r") where ends(with: "type-identifier"):
            self = .identifier
        default:
            guard isKnown else { return nil }
            self = .other
        }
    }
}
