internal import Bytes

/// pass.json with the place of each key and value, in the order of the text. Read as tolerantly as
/// ``Pass``.
package struct JSONTree: Sendable {
    /// UTF-8 without a byte order mark; ranges count from its beginning.
    package let text: [UInt8]
    package let root: JSONNode
    /// The tolerated violations of JSON.
    package let oddities: [Oddity]
    /// The keys of the root whose values are strings in which U+FFFD replaces invalid UTF-8 or half
    /// of a surrogate pair.
    package let damaged: Set<ExactText>
    /// The offsets of the line feeds.
    private let lineFeeds: [Int]

    package init(_ bytes: [UInt8], limits: PassLimits = PassLimits()) throws(PassError) {
        var oddities = Oddities(limit: limits.oddities)
        var marks: [JSONMark]? = []
        var damaged: Set<ExactText> = []
        _ = try LenientJSON.read(
            bytes, limits: limits, oddities: &oddities, marks: &marks, damaged: &damaged)
        self.damaged = damaged
        self.oddities = oddities.all
        let text = UnicodeText(bytes).utf8
        self.text = text
        root = tree(marks ?? [])
        lineFeeds = text.indices.filter { text[$0] == UInt8(ascii: "\n") }
    }

    /// The line of an offset, counted from 1.
    package func line(of offset: Int) -> Int {
        var (low, high) = (0, lineFeeds.count)
        while low < high {
            let middle = (low + high) / 2
            if lineFeeds[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }

    /// The text of a range.
    package func text(_ range: Range<Int>) -> String {
        String(streamSafe: text[range.clamped(to: 0..<text.count)])
    }
}

/// A value and its place.
package struct JSONNode: Sendable {
    package enum Content: Sendable {
        /// Anything but an array or object.
        case scalar(JSONValue)
        case array([JSONNode])
        /// Repeated keys are all there.
        case object([JSONMember])
    }

    package let content: Content
    package let range: Range<Int>
}

/// A key of an object, and its value.
package struct JSONMember: Sendable {
    package let key: ExactText
    /// Includes the quotes.
    package let keyRange: Range<Int>
    package let value: JSONNode
}

extension JSONNode {
    package var kind: JSONKind {
        switch content {
        case .scalar(let value): value.kind
        case .array: .array
        case .object: .object
        }
    }

    package var isNull: Bool { kind == .null }

    package var string: String? {
        if case .scalar(.string(let text)) = content { text } else { nil }
    }

    package var elements: [JSONNode] {
        if case .array(let elements) = content { elements } else { [] }
    }

    package var members: [JSONMember] {
        if case .object(let members) = content { members } else { [] }
    }

    /// The value that counts for a key of this object: the last one. Null counts as absent.
    package subscript(key: String) -> JSONNode? {
        members.last { $0.key.text.isExactly(key) }.map(\.value).flatMap { $0.isNull ? nil : $0 }
    }
}

/// An array or object whose end was not read yet.
private struct OpenNode {
    let isObject: Bool
    let start: Int
    var elements: [JSONNode] = []
    var members: [JSONMember] = []
    var key = (text: ExactText(""), range: 0..<0)

    mutating func append(_ node: JSONNode) {
        if isObject {
            members.append(JSONMember(key: key.text, keyRange: key.range, value: node))
        } else {
            elements.append(node)
        }
    }
}

private func tree(_ marks: [JSONMark]) -> JSONNode {
    var open: [OpenNode] = []
    var root = JSONNode(content: .scalar(.null), range: 0..<0)
    func put(_ node: JSONNode) {
        if open.isEmpty { root = node } else { open[open.count - 1].append(node) }
    }
    for mark in marks {
        switch mark {
        case .open(let isObject, let start):
            open.append(OpenNode(isObject: isObject, start: start))
        case .key(let text, let range):
            if !open.isEmpty { open[open.count - 1].key = (text, range) }
        case .scalar(let value, let range):
            put(JSONNode(content: .scalar(value), range: range))
        case .close(let end):
            guard let closed = open.popLast() else { continue }
            let content: JSONNode.Content =
                closed.isObject ? .object(closed.members) : .array(closed.elements)
            put(JSONNode(content: content, range: closed.start..<max(closed.start, end)))
        }
    }
    return root
}
