import Bytes

/// The open multiparts and messages, the innermost last, and the boundaries of the multiparts.
package struct OpenEntities: Sendable {
    /// The offset of the message in which they begin.
    package private(set) var messageOffset = 0
    /// The number of messages of the mailbox after that one.
    package var laterMessages = 0

    private var entities: [Entity] = []
    private var boundaries = OpenBoundaries()

    private struct Entity {
        let number: String
        let isMultipart: Bool
        var isDigest = false
        /// Whether it was found in the text of a part, undeclared by any header.
        var isInText = false
        /// Whether it, or an entity around it, is declared quoted-printable as a whole.
        var isQuotedPrintable = false
        /// Whether its boundary is unknown. Always false for a message.
        var lacksBoundary = false
        var children = 0
        /// Whether its last delimiter was a closing one.
        var isClosed = false
    }

    package init() {}

    package var isEmpty: Bool { entities.isEmpty }

    /// The number of the innermost one; empty if there is none.
    var number: String { entities.last?.number ?? "" }

    /// Whether the outermost multipart has parts, but no closing delimiter so far; nil if there is
    /// no multipart.
    var isUnclosed: Bool? {
        entities.first { $0.isMultipart && !$0.isInText }.map { $0.children > 0 && !$0.isClosed }
    }

    /// Whether the innermost one is a message.
    var isInMessage: Bool { entities.last?.isMultipart == false }

    /// Whether the innermost one is a multipart without a part so far.
    var isBeforeFirstPart: Bool {
        guard let last = entities.indices.last else { return false }
        return entities[last].isMultipart && entities[last].children == 0
    }

    /// Whether a part without a type is a message (RFC 2046, 5.1.5).
    var isInDigest: Bool { entities.last?.isDigest == true }

    var isQuotedPrintable: Bool { entities.last?.isQuotedPrintable == true }

    /// Whether one of them was found in the text of a part.
    var isInText: Bool { entities.contains { $0.isInText } }

    func depth(isMultipart: Bool) -> Int { entities.count { $0.isMultipart == isMultipart } }

    /// The part number (RFC 3501, 6.4.5): the parts of a multipart count from 1; the single body of
    /// a message is its part 1, but a multipart body has the message's own number.
    func numberOfNext(_ part: PartHeader) -> String {
        guard let parent = entities.last else { return part.isMultipart ? "" : "1" }
        if !parent.isMultipart, part.isMultipart { return parent.number }
        let index = parent.isMultipart ? parent.children : 1
        return parent.number.isEmpty ? "\(index)" : "\(parent.number).\(index)"
    }

    mutating func removeAll(messageOffset: Int = 0) {
        self.messageOffset = messageOffset
        laterMessages = 0
        entities.removeAll(keepingCapacity: true)
        boundaries.removeAll()
    }

    mutating func openMessage(_ number: String) {
        entities.append(Entity(number: number, isMultipart: false))
    }

    mutating func openMultipart(_ header: PartHeader, _ number: String) {
        for boundary in header.boundaries { boundaries.open(boundary, level: entities.count) }
        entities.append(
            Entity(
                number: number, isMultipart: true, isDigest: header.isDigest,
                isQuotedPrintable: isQuotedPrintable
                    || header.encodings.contains(.quotedPrintable),
                lacksBoundary: header.boundaries.isEmpty))
    }

    /// Opens a multipart that was found in the text of a part, and returns its delimiter.
    mutating func openMultipart(
        inText boundary: [UInt8], _ number: String
    ) -> OpenBoundaries.Delimiter {
        entities.append(Entity(number: number, isMultipart: true, isInText: true))
        return add(boundary)
    }

    /// Adds a boundary of the innermost multipart, and returns the delimiter with it.
    mutating func add(_ boundary: [UInt8]) -> OpenBoundaries.Delimiter {
        let level = entities.count - 1
        entities[level].lacksBoundary = false
        boundaries.open(boundary, level: level)
        return OpenBoundaries.Delimiter(level: level, closes: false)
    }

    /// The delimiter in a `--` line.
    func delimiter(_ bytes: Span<UInt8>, _ line: Range<Int>) -> OpenBoundaries.Delimiter? {
        boundaries.delimiter(bytes, line)
    }

    /// For a multipart without a boundary parameter, the first `--` line is the boundary
    /// (VIOLATIONS.md, M64).
    mutating func learnedDelimiter(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> OpenBoundaries.Delimiter? {
        guard let last = entities.indices.last, entities[last].lacksBoundary else { return nil }
        let text = bytes.trimmed(line).dropFirst(2)
        guard !text.isEmpty else { return nil }
        return add(text.map { bytes[$0] })
    }

    /// The delimiter in the line before a part header, and how many bytes before the header it
    /// begins.
    ///
    /// The part header after it shows that a part begins. VIOLATIONS.md, M69: it follows text, is
    /// indented or quoted. M70: it has the form of a closing one.
    func missedDelimiter(
        in line: [UInt8]
    ) -> (delimiter: OpenBoundaries.Delimiter, length: Int)? {
        let source = line.span
        var text = source.trimmed(0..<line.count)
        for _ in 0..<2 {
            if let found = boundaries.ending(source, text) {
                let delimiter = OpenBoundaries.Delimiter(level: found.level, closes: false)
                let isAlone = line[..<found.start].allSatisfy {
                    $0.isWhiteSpace || $0 == UInt8(ascii: ">")
                }
                return (delimiter, line.count - (isAlone ? 0 : found.start))
            }
            guard text.count > 2, source.hasPrefix("--", at: text.upperBound - 2) else { break }
            text = text.lowerBound..<text.upperBound - 2
        }
        return nil
    }

    /// Closes the entities within the multipart of a delimiter, and counts the part that begins.
    /// VIOLATIONS.md, M73: they may have no closing delimiter.
    mutating func meet(_ delimiter: OpenBoundaries.Delimiter) {
        while entities.count > delimiter.level + 1 { closeLast() }
        guard let last = entities.indices.last else { return }
        entities[last].isClosed = delimiter.closes
        if !delimiter.closes {
            entities[last].children += 1
        } else if boundaries.isShared(level: last) {
            // VIOLATIONS.md, M74: a multipart stays open after its closing delimiter, for parts
            // that were appended later; but if it shares its boundary with an outer one, the outer
            // one gets it back.
            closeLast()
        }
    }

    private mutating func closeLast() {
        guard entities.popLast() != nil else { return }
        boundaries.close(level: entities.count)
    }
}
