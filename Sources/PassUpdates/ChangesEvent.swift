package import PassModel

/// The pass types that changed at a web service, from its event stream or a response to long
/// polling: `{"passTypeIdentifiers":["pass.com.example.boarding"],"lastUpdated":"1742"}`.
package struct ChangesEvent: Sendable, Equatable {
    private static let mostTypes = 1000
    /// In bytes.
    private static let longestType = 256

    /// The types of the changed passes, each once; at most 1,000, the others are left out.
    package let passTypeIdentifiers: [String]
    /// The tag for the next request; nil if it is missing or cannot be sent.
    package let lastUpdated: String?

    /// Nil without a list of types.
    package init?(json: some Sequence<UInt8>) {
        guard let tree = try? JSONTree(Array(json)), let list = tree.root["passTypeIdentifiers"],
            list.kind == .array
        else { return nil }
        var known: Set<ExactText> = []
        let types = list.elements.compactMap { tree.word($0) }
            .filter {
                $0.utf8.count <= ChangesEvent.longestType && known.insert(ExactText($0)).inserted
            }
        passTypeIdentifiers = Array(types.prefix(ChangesEvent.mostTypes))
        lastUpdated = tree.root["lastUpdated"].flatMap(tree.word)
            .flatMap { ListedPasses.isTag($0) ? $0 : nil }
    }
}

extension JSONTree {
    /// A string, or the digits of a number. VIOLATIONS.md, H24: some services write tags and serial
    /// numbers as numbers.
    package func word(_ node: JSONNode) -> String? {
        node.kind == .number ? text(node.range) : node.string
    }
}
