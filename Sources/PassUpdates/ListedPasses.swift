import Foundation

/// A list of changed passes: `{"serialNumbers": ["0001"], "lastUpdated": "1742"}` (PassKit Web
/// Service Reference, "Getting the Serial Numbers for Passes Associated with a Device").
struct ListedPasses: Equatable {
    /// The limit for the body, in bytes: about 100,000 serial numbers.
    static let longest = 4 << 20
    /// The limit for a tag, in bytes.
    private static let longestTag = 512

    let serialNumbers: [String]
    /// Opaque; nil if the server did not send one, as in an empty list.
    let tag: String?

    /// No changes: 204.
    static let none = ListedPasses(serialNumbers: [], tag: nil)

    init(serialNumbers: [String], tag: String?) {
        self.serialNumbers = serialNumbers
        self.tag = tag
    }

    /// Nil for anything but such an object. Numbers count as strings: servers send timestamps as
    /// tags.
    init?(json: Data) {
        guard json.count <= ListedPasses.longest,
            let body = try? JSONDecoder().decode(Body.self, from: json)
        else { return nil }
        var seen: Set<String> = []
        serialNumbers = body.serialNumbers.compactMap { word in
            seen.insert(word.text).inserted ? word.text : nil
        }
        let tag = body.lastUpdated?.text ?? ""
        guard tag.utf8.count <= ListedPasses.longestTag else { return nil }
        if tag.isEmpty, !serialNumbers.isEmpty { return nil }
        self.tag = tag.isEmpty ? nil : tag
    }

    private struct Body: Decodable {
        let serialNumbers: [Word]
        let lastUpdated: Word?
    }

    private struct Word: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else if let number = try? container.decode(Int64.self) {
                text = String(number)
            } else {
                text = "\(try container.decode(Double.self))"
            }
        }
    }
}
