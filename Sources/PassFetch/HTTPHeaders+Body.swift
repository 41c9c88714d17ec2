import Fetching
import NIOHTTP1

extension HTTPHeaders {
    /// The value of a field; nil if it is too long to be reported. File names are shorter.
    func told(_ name: String) -> String? {
        first(name: name).flatMap { $0.utf8.count <= 8192 ? $0 : nil }
    }

    var contentLength: Int? {
        first(name: "content-length").flatMap { Int(digits: $0) }
    }

    /// The content coding other than identity (RFC 9110, 8.4). VIOLATIONS.md, H6: in spite of
    /// `Accept-Encoding: identity`.
    var coding: String? {
        let codings = self[canonicalForm: "content-encoding"].map { $0.lowercased() }
            // VIOLATIONS.md, H5: Amazon's name for an upload encoding.
            .filter { !["identity", "aws-chunked"].contains($0) }
        return codings.isEmpty ? nil : String(codings.joined(separator: ", ").prefix(100))
    }

    /// Whether the coding cannot be removed later. Formats with a signature can be recognised,
    /// `deflate` has none; mistaken values such as `utf-8` or `binary` mean no coding.
    var isUnreadable: Bool {
        let unknown = ["br", "compress", "x-compress", "deflate", "dcb", "dcz"]
        return self[canonicalForm: "content-encoding"].contains {
            unknown.contains($0.lowercased())
        }
    }

    /// The validator for a range request of the rest: a strong entity tag, or a date of change at
    /// least a minute before the response (RFC 9110, 13.1.5 and 8.8.2.2).
    func validator(now: HTTPDate) -> String? {
        if let tag = first(name: "etag") {
            // An entity tag takes precedence over the date, and a weak one does not identify the
            // bytes.
            return HTTPHeaders.isStrongTag(tag) ? tag : nil
        }
        guard let changed = told("last-modified"),
            let then = HTTPDate(changed, now: now),
            let sent = first(name: "date").flatMap({ HTTPDate($0, now: now) }),
            sent.seconds - then.seconds >= 60
        else { return nil }
        return changed
    }

    /// Whether a partial response belongs to the body with this validator: if it states any
    /// validator, that must match (RFC 9110, 15.3.7.3).
    func fits(_ validator: String?) -> Bool {
        guard let validator else { return false }
        let (tag, date) = (first(name: "etag"), first(name: "last-modified"))
        let (same, other) = HTTPHeaders.isStrongTag(validator) ? (tag, date) : (date, tag)
        return same.map { $0 == validator } ?? (other == nil)
    }

    static func isStrongTag(_ text: String) -> Bool {
        let bytes = text.utf8
        return (2...1024).contains(bytes.count) && bytes.first == UInt8(ascii: "\"")
            && bytes.last == UInt8(ascii: "\"")
            && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
