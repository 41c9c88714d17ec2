import Fetching
import NIOHTTP1

extension HTTPHeaders {
    /// A value that is passed on. No file's name is as long as what is left out.
    func told(_ name: String) -> String? {
        first(name: name).flatMap { $0.utf8.count <= 8192 ? $0 : nil }
    }

    var contentLength: Int? {
        first(name: "content-length").flatMap { Int(digits: $0) }
    }

    /// What the body is coded in, other than not at all (RFC 9110, 8.4). Nobody asked for that
    /// (`Accept-Encoding: identity`), and yet there are servers that do it.
    var coding: String? {
        let codings = self[canonicalForm: "content-encoding"].map { $0.lowercased() }
            // Amazon's word for how it was uploaded.
            .filter { !["identity", "aws-chunked"].contains($0) }
        return codings.isEmpty ? nil : String(codings.joined(separator: ", ").prefix(100))
    }

    /// Whether that cannot be undone by who gets the file. The formats that have a signature can, which
    /// `deflate` has not; mistakes like `utf-8` and `binary` say nothing of the bytes.
    var isUnreadable: Bool {
        let unknown = ["br", "compress", "x-compress", "deflate", "dcb", "dcz"]
        return self[canonicalForm: "content-encoding"].contains {
            unknown.contains($0.lowercased())
        }
    }

    /// What the rest of this body can be asked for with: a strong entity tag, or a date of change that
    /// is a minute older than the answer (RFC 9110, 13.1.5 and 8.8.2.2).
    func validator(now: HTTPDate) -> String? {
        if let tag = first(name: "etag") {
            // Where there is a tag it is that which counts, and a weak one says nothing of the bytes.
            return HTTPHeaders.isStrongTag(tag) ? tag : nil
        }
        guard let changed = told("last-modified"),
            let then = HTTPDate(changed, now: now),
            let sent = first(name: "date").flatMap({ HTTPDate($0, now: now) }),
            sent.seconds - then.seconds >= 60
        else { return nil }
        return changed
    }

    /// Whether a part belongs to the body that a validator was sent with: where anything is said of its
    /// version, the validator is (RFC 9110, 15.3.7.3).
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
