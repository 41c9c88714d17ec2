import Bytes
import PassDetection

/// The links of a text whose labels show that they lead to passes, and whose URLs stand below: the
/// references of Markdown, and the numbers that programs write for the links of a page.
///
///     [Add to Apple Wallet][w]     Add to Apple Wallet [1]     [1]Add to Apple Wallet
///     ...                          ...                         ...
///     [w]: https://x.example/1     [1] https://x.example/1     1. https://x.example/1
struct LinkReferences {
    /// Whether there were more references than the limit.
    private(set) var hasMore = false

    private var identifiers: Set<[UInt8]> = []
    private let types: TypeMap
    private let limit: Int

    /// The longest identifier, in bytes.
    private static let longest = 64

    init(_ types: TypeMap, limit: Int) {
        self.types = types
        self.limit = limit
    }

    /// Whether a label with this identifier leads to a pass.
    func contains(_ identifier: ArraySlice<UInt8>) -> Bool {
        !identifiers.isEmpty && identifiers.contains(LinkReferences.normalised(identifier))
    }

    /// Reads the references that end in a range. The bytes before it must be at hand, as far as a
    /// label may reach.
    mutating func read(_ text: [UInt8], _ range: Range<Int>) {
        for place in range
        where text[place] == UInt8(ascii: "]") || text[place] == UInt8(ascii: "\n") {
            read(text, before: place)
        }
    }

    /// Reads the reference that ends before a closing bracket or the end of a line.
    private mutating func read(_ text: [UInt8], before place: Int) {
        let start = max(0, place - LinkContext.length)
        if text[place] == UInt8(ascii: "]") {
            let identifier = text[max(start, place - LinkReferences.longest)..<place]
            guard let open = identifier.lastIndex(of: UInt8(ascii: "[")) else { return }
            read(identifier[(open + 1)...], behind: text[start..<open])
        } else {
            // `[1]Add to Apple Wallet`
            let line = text[start..<place].suffix(LinkContext.longestLabel)
            guard let close = line.lastIndex(of: UInt8(ascii: "]")),
                !line[close...].contains(UInt8(ascii: "\n")),
                let open = line[..<close].lastIndex(of: UInt8(ascii: "["))
            else { return }
            let number = line[(open + 1)..<close]
            guard number.allSatisfy(\.isASCIIDigit) else { return }
            add(number, label: line[(close + 1)...])
        }
    }

    private mutating func read(_ identifier: ArraySlice<UInt8>, behind text: ArraySlice<UInt8>) {
        let label = text.last == 0x20 ? text.dropLast() : text
        guard label.last == UInt8(ascii: "]") else {
            guard identifier.allSatisfy(\.isASCIIDigit) else { return }
            let line = label.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            return add(identifier, label: label[(line ?? label.startIndex)...])
        }
        var depth = 0
        for index in label.indices.reversed() {
            if label[index] == UInt8(ascii: "]") { depth += 1 }
            if label[index] == UInt8(ascii: "[") { depth -= 1 }
            guard depth == 0 else { continue }
            // `![Add to Apple Wallet][badge]`: the URL is that of the image.
            if label[..<index].last == UInt8(ascii: "!") { return }
            let name = label[(index + 1)...].dropLast()
            // `[![Add to Apple Wallet](badge.png)][w]`
            let image = name.firstRange(of: "![".utf8)
            let alternative = image.map {
                name[$0.upperBound...].prefix { $0 != UInt8(ascii: "]") }
            }
            return add(identifier, label: alternative ?? name)
        }
    }

    private mutating func add(_ identifier: ArraySlice<UInt8>, label: ArraySlice<UInt8>) {
        guard !identifier.isEmpty, LinkContext([], types).isLabel(label) else { return }
        guard identifiers.count < limit else {
            hasMore = true
            return
        }
        identifiers.insert(LinkReferences.normalised(identifier))
    }

    /// Upper and lower case are the same (CommonMark 0.31, 4.7), here in ASCII.
    private static func normalised(_ identifier: ArraySlice<UInt8>) -> [UInt8] {
        Array(
            identifier.split(whereSeparator: \.isWhiteSpace).joined(separator: [0x20])
                .map(\.asciiLowercased))
    }
}
