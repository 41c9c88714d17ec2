import Bytes

/// A tag of a web page.
struct HTMLTag {
    /// In lower case.
    private(set) var name = ""
    var isEnd = false
    /// The first attribute of each name; names in lower case, values without character references.
    private(set) var attributes: [(name: String, value: [UInt8])] = []
    /// Whether the value of a link attribute was cut.
    var isCut = false

    init() {}

    init(_ name: String, isEnd: Bool) {
        self.name = name
        self.isEnd = isEnd
    }

    /// The limits of a tag, in bytes and attributes.
    static let longestName = 64
    static let mostAttributes = 64
    /// Attributes that contain a URL in any tag.
    static let namesOfLinks: Set = ["href", "src", "action", "formaction"]

    /// Whether the text before the tag is not displayed: that of a script or style.
    var endsUnseenText: Bool { isEnd && (name == "script" || name == "style") }

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
