import Bytes

/// A tag of a web page.
struct HTMLTag {
    /// In lower case.
    private(set) var name = ""
    var isEnd = false
    /// The first of each name, the names in lower case; the values without character references.
    private(set) var attributes: [(name: String, value: [UInt8])] = []
    /// Whether the value of one that holds a link was longer than is read.
    var isCut = false

    init() {}

    init(_ name: String, isEnd: Bool) {
        self.name = name
        self.isEnd = isEnd
    }

    /// How much of one is read, in bytes and attributes.
    static let longestName = 64
    static let mostAttributes = 64
    /// Those that lead somewhere in each tag that has them.
    static let namesOfLinks: Set = ["href", "src", "action", "formaction"]

    subscript(name: String) -> [UInt8]? { attributes.first { $0.name == name }?.value }

    mutating func name(_ name: [UInt8]) {
        self.name = String(streamSafe: name)
    }

    mutating func add(_ name: [UInt8], _ value: [UInt8]) {
        let name = String(streamSafe: name)
        guard attributes.count < HTMLTag.mostAttributes, self[name] == nil else { return }
        attributes.append((name, CharacterReferences.replaced(in: value)))
    }
}
