import Bytes
internal import Fetching

/// The fields of a head (RFC 9110, 5).
struct HTTPFields: Sendable, ExpressibleByDictionaryLiteral {
    private var fields: [(name: String, value: String)] = []

    init() {}

    init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    mutating func append(_ name: String, _ value: String) {
        fields.append((name.lowercased(), value))
    }

    mutating func continueLast(with bytes: some Collection<UInt8>) -> Bool {
        guard let last = fields.indices.last else { return false }
        fields[last].value += " " + HTTPFields.text(bytes)
        return true
    }

    /// The first value of a field.
    subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name == name }?.value
    }

    /// The members of a list (RFC 9110, 5.6.1), in lower case.
    private func list(_ name: String) -> [String] {
        fields.filter { $0.name == name }.flatMap { field in
            field.value.split(separator: ",").map { HTTPFields.trimmed($0).lowercased() }
        }
    }

    /// A value. VIOLATIONS.md, H22: bytes that are not UTF-8 are read as ISO 8859-1, as RFC 2616
    /// required.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        let text =
            String(validatingStreamSafe: bytes)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return trimmed(text[...])
    }

    private static func trimmed(_ text: Substring) -> String {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        let start = text.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(start[...last])
    }

    /// The value of a field; nil if it is too long to be reported. File names are shorter.
    func reportable(_ name: String) -> String? {
        self[name].flatMap { $0.utf8.count <= 8192 ? $0 : nil }
    }

    var contentLength: Int? { list("content-length").first.flatMap { Int(digits: $0) } }

    /// Whether all lengths are valid and the same (RFC 9110, 8.6).
    var agreeOnLength: Bool {
        let lengths = list("content-length").map { Int(digits: $0) }
        return lengths.allSatisfy { $0 != nil && $0 == lengths.first }
    }

    /// The content coding other than identity (RFC 9110, 8.4). VIOLATIONS.md, H6: in spite of
    /// `Accept-Encoding: identity`.
    var coding: String? {
        // VIOLATIONS.md, H5: Amazon's name for an upload encoding.
        let none = ["identity", "aws-chunked", "chunked"]
        // libcurl removes the chunks, and no other transfer coding.
        let codings = (list("content-encoding") + list("transfer-encoding"))
            .filter { !none.contains($0) }
        return codings.isEmpty ? nil : String(codings.joined(separator: ", ").prefix(100))
    }

    /// Whether the coding cannot be removed later. Formats with a signature can be recognised,
    /// `deflate` has none; mistaken values such as `utf-8` or `binary` mean no coding.
    var isUnreadable: Bool {
        let unknown = ["br", "compress", "x-compress", "deflate", "dcb", "dcz"]
        return list("content-encoding").contains { unknown.contains($0) }
    }

    /// The validator for a range request of the rest: a strong entity tag, or a date of change at
    /// least a minute before the response (RFC 9110, 13.1.5 and 8.8.2.2).
    func validator(now: HTTPDate) -> String? {
        if let tag = self["etag"] {
            // An entity tag takes precedence over the date, and a weak one does not identify the
            // bytes.
            return HTTPFields.isStrongTag(tag) ? tag : nil
        }
        guard let changed = reportable("last-modified"),
            let then = HTTPDate(changed, now: now),
            let sent = self["date"].flatMap({ HTTPDate($0, now: now) }),
            sent.seconds - then.seconds >= 60
        else { return nil }
        return changed
    }

    /// Whether a partial response belongs to the body with this validator: if it states any
    /// validator, that must match (RFC 9110, 15.3.7.3).
    func fits(_ validator: String?) -> Bool {
        guard let validator else { return false }
        let (tag, date) = (self["etag"], self["last-modified"])
        let (same, other) = HTTPFields.isStrongTag(validator) ? (tag, date) : (date, tag)
        return same.map { $0 == validator } ?? (other == nil)
    }

    static func isStrongTag(_ text: String) -> Bool {
        let bytes = text.utf8
        return (2...1024).contains(bytes.count) && bytes.first == UInt8(ascii: "\"")
            && bytes.last == UInt8(ascii: "\"")
            && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
