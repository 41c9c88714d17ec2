import PassModel

/// A list of changed passes: `{"serialNumbers": ["0001"], "lastUpdated": "1742"}` (PassKit Web
/// Service Reference, "Getting the Serial Numbers for Passes Associated with a Device").
struct ListedPasses: Equatable {
    /// The limit for the body, in bytes.
    static let longest = 4 << 20
    /// The limit for the number of values, twice that of a list of passconduit-serve.
    private static let mostValues = 20_000
    /// The limit for a tag, in bytes.
    private static let longestTag = 512

    /// Whether a tag can be sent back.
    static func isTag(_ text: String) -> Bool {
        (1...longestTag).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    let serialNumbers: [String]
    /// Opaque; nil if the server did not send one, as in an empty list.
    let tag: String?

    /// No changes: 204.
    static let none = ListedPasses(serialNumbers: [], tag: nil)

    init(serialNumbers: [String], tag: String?) {
        self.serialNumbers = serialNumbers
        self.tag = tag
    }

    /// Nil if the JSON is not such an object.
    init?(json: some Collection<UInt8>) {
        var limits = PassLimits()
        limits.jsonBytes = ListedPasses.longest
        limits.jsonValues = ListedPasses.mostValues
        guard let tree = try? JSONTree(Array(json), limits: limits),
            let list = tree.root["serialNumbers"], list.kind == .array
        else { return nil }
        let words = list.elements.compactMap(tree.word)
        guard words.count == list.elements.count else { return nil }
        var seen: Set<ExactText> = []
        serialNumbers = words.filter { seen.insert(ExactText($0)).inserted }
        let tag = tree.root["lastUpdated"].flatMap(tree.word) ?? ""
        guard tag.isEmpty || ListedPasses.isTag(tag) else { return nil }
        if tag.isEmpty, !serialNumbers.isEmpty { return nil }
        self.tag = tag.isEmpty ? nil : tag
    }
}
