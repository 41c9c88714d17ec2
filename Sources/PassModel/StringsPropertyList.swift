internal import Bytes

/// Reads a pass.strings that is a property list, in XML or binary, as Xcode writes it: a dictionary
/// of texts.
///
///     <plist version="1.0"><dict>
///     <key>GATE</key>
///     <string>Gate</string>
///     </dict></plist>
enum StringsPropertyList {
    static func read(binary bytes: [UInt8], into table: inout StringsTable) {
        let octets = SpooledBytes(bytes)
        // An array in memory is read without errors.
        guard var list = try? BinaryPropertyList(octets, keys: max(0, table.entriesLeft) + 1),
            case .dictionary(let references)? = try? list.object(list.root)
        else { return table.note(.damagedPropertyList) }
        var texts: [Int: String] = [:]
        // The texts of a real list do not overlap, but may be used several times.
        var bytesLeft = 4 * bytes.count
        func string(_ index: Int) -> String? {
            guard case .text(let range, let isUTF16)? = try? list.object(index) else { return nil }
            bytesLeft -= range.count
            guard bytesLeft >= 0 else { return nil }
            if let text = texts[index] { return text }
            guard let bytes = try? list.bytes(range) else { return nil }
            var text = UnescapedText()
            if isUTF16 {
                for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                    text.append(unit: UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))
                }
            } else {
                text.append(bytes[...])
            }
            let string = table.finish(&text)
            texts[index] = string
            return string
        }
        // VIOLATIONS.md, P44: other values than texts, and the end missing.
        let count = references.count / 2
        for (key, value) in zip(references[..<count], references[count...]) {
            guard table.takeEntry() else { return }
            guard let key = string(key) else {
                table.note(.strayText)
                continue
            }
            guard let text = string(value) else {
                table.note(.missingText(key: excerpt(key)))
                continue
            }
            table.put(key, text)
        }
    }

    /// - Parameter text: In UTF-8.
    static func read(xml text: [UInt8], into table: inout StringsTable) {
        var reader = XMLReader(text)
        // Of dictionaries and arrays; the translations are in the outermost.
        var depth = 0
        var key: String?
        var hasDictionary = false
        while let tag = reader.nextTag() {
            switch tag.name {
            case "dict", "array":
                if tag.isStart, depth == 1, let key = key.take() {
                    table.note(.missingText(key: excerpt(key)))
                }
                hasDictionary = hasDictionary || tag.isStart
                if tag.isStart, !tag.isEnd { depth += 1 }
                if tag.isEnd, !tag.isStart { depth -= 1 }
            case _ where depth != 1 || !tag.isStart: break
            case "key":
                if let key { table.note(.missingText(key: excerpt(key))) }
                guard table.takeEntry() else { return }
                key = tag.isEnd ? "" : reader.text(&table)
            case "string":
                let text = tag.isEnd ? "" : reader.text(&table)
                if let key = key.take() { table.put(key, text) } else { table.note(.strayText) }
            default:
                if let key = key.take() { table.note(.missingText(key: excerpt(key))) }
            }
        }
        if let key { table.note(.missingText(key: excerpt(key))) }
        if depth != 0 || !hasDictionary || reader.isCut { table.note(.damagedPropertyList) }
    }
}

/// The tags and texts of XML. References to entities other than XML's own are text.
private struct XMLReader {
    struct Tag {
        let name: String
        /// An empty element is both.
        let isStart, isEnd: Bool
    }

    private let bytes: [UInt8]
    private var position = 0
    /// Whether the text ended within a tag, a comment or a text.
    private(set) var isCut = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next tag; nil at the end.
    mutating func nextTag() -> Tag? {
        while skip(past: "<") {
            if skipsOther() { continue }
            let start = position
            guard skip(past: ">") else { break }
            var content = bytes[start..<position - 1]
            let isEnd = content.first == UInt8(ascii: "/")
            let isEmpty = content.last == UInt8(ascii: "/")
            if isEnd { content.removeFirst() }
            let name = content.prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "/") }.prefix(16)
            return Tag(name: String(streamSafe: name), isStart: !isEnd, isEnd: isEnd || isEmpty)
        }
        return nil
    }

    /// The text up to the next tag.
    mutating func text(_ table: inout StringsTable) -> String {
        var result = ""
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            result += resolvingEntities(string(position..<end, &table)[...].utf8)
            position = end
            if starts(with: "<![CDATA[") {
                let start = position + 9
                position = start
                _ = skip(past: "]]>")
                result += string(start..<(isCut ? bytes.count : position - 3), &table)
            } else if starts(with: "<!--") {
                position += 1
                _ = skipsOther()
            } else {
                break
            }
        }
        isCut = isCut || position == bytes.count
        // Resolving references may have created a long run.
        return result.streamSafe
    }

    private func string(_ range: Range<Int>, _ table: inout StringsTable) -> String {
        var text = UnescapedText()
        text.append(bytes[range])
        return table.finish(&text)
    }

    /// Skips what begins with `<` but is not a tag: a comment, an instruction or a declaration.
    private mutating func skipsOther() -> Bool {
        if starts(with: "!--") {
            _ = skip(past: "-->")
        } else if starts(with: "?") {
            _ = skip(past: "?>")
        } else if starts(with: "!") {
            _ = skip(past: ">")
        } else {
            return false
        }
        return true
    }

    private func starts(with text: StaticString) -> Bool {
        bytes.span.hasPrefix(text, at: position)
    }

    /// Moves past the next occurrence; to the end if there is none.
    private mutating func skip(past text: StaticString) -> Bool {
        var place = position
        let first = unsafe text.utf8Start[0]
        while let found = bytes.span.firstIndex(of: first, in: place..<bytes.count) {
            if bytes.span.hasPrefix(text, at: found) {
                position = found + text.utf8CodeUnitCount
                return true
            }
            place = found + 1
        }
        isCut = isCut || first != UInt8(ascii: "<")
        position = bytes.count
        return false
    }
}
