internal import Foundation
internal import PassVerification

/// A finding in a row of `versions`:
/// `{"code": "file-differs", "finding": {"fileDiffers": {"path": "logo.png"}}}`.
///
/// Before the eighth migration, a row contained a sentence instead:
/// `{"code": "file-differs", "detail": "..."}`. It is read as `Finding.stored` and written back
/// unchanged. For a finding that only a later version of this program knows, only the code is read.
struct StoredFinding: Codable {
    let finding: Finding

    init(_ finding: Finding) {
        self.finding = finding
    }

    private enum Key: String, CodingKey {
        case code, detail, finding
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Key.self)
        let code = try row.decode(String.self, forKey: .code)
        if let finding = try? row.decodeIfPresent(Finding.self, forKey: .finding) {
            self.finding = finding
        } else {
            let detail = try row.decodeIfPresent(String.self, forKey: .detail)
            finding = .stored(code: code, detail: detail ?? "")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: Key.self)
        try row.encode(finding.code, forKey: .code)
        guard case .stored(_, let detail) = finding else {
            // An earlier version of this program that has the library open expects a detail.
            try row.encode("", forKey: .detail)
            return try row.encode(finding, forKey: .finding)
        }
        try row.encode(detail, forKey: .detail)
    }
}

extension StoredFinding {
    /// Times are in seconds since 1970, as in the columns. Keys are sorted, so that equal findings
    /// have equal text.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    static func read(_ text: String) throws -> [StoredFinding] {
        // Fast path: most versions have none.
        if text == "[]" { return [] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return try decoder.decode([StoredFinding].self, from: Data(text.utf8))
    }
}
