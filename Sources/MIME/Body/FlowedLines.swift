import Bytes

/// Joins the lines of `format=flowed; delsp=yes` (RFC 3676, 4), in which a space before a line end
/// is deleted. Apple's mailers break long words this way, URLs included. Without `delsp=yes`, only
/// the lines of base64 in a `data:` URL are joined (VIOLATIONS.md, M107).
struct FlowedLines {
    private let deletesSpaces: Bool
    /// The line being read.
    private var line: [UInt8] = []
    /// The quote depth of the last line, if the next line continues it.
    private var flowing: Int?
    /// Whether the last line ended within the base64 of a `data:` URL.
    private var isInData = false

    /// Longer lines are passed on unchanged.
    private static let longest = 64 << 10

    init(deletesSpaces: Bool) {
        self.deletesSpaces = deletesSpaces
    }

    mutating func feed(_ text: Span<UInt8>, _ take: ([UInt8]) -> Void) {
        var output: [UInt8] = []
        for index in text.indices {
            line.append(text[index])
            if text[index] == UInt8(ascii: "\n") || line.count > FlowedLines.longest {
                end(&output)
            }
        }
        if !output.isEmpty { take(output) }
    }

    mutating func finish(_ take: ([UInt8]) -> Void) {
        var output: [UInt8] = []
        if !line.isEmpty { end(&output) }
        if !output.isEmpty { take(output) }
    }

    /// Appends the line to the output, without its quote marks if it continues one.
    private mutating func end(_ output: inout [UInt8]) {
        let range = line.span.withoutLineEnding(0..<line.count)
        var start = 0
        while start < range.upperBound, line[start] == UInt8(ascii: ">") { start += 1 }
        let depth = start
        // A leading space is space-stuffing (4.4).
        if start < range.upperBound, line[start] == 0x20 { start += 1 }
        let text = line[start..<range.upperBound]
        if flowing == depth {
            output += text
        } else {
            if flowing != nil { output.append(0x0A) }
            output += line[..<range.upperBound]
        }
        // The space of the signature separator `-- ` is kept (4.3).
        var isFlowing = text.last == 0x20 && !text.elementsEqual("-- ".utf8)
        if isFlowing, !deletesSpaces {
            isInData = endsInData(text.dropLast(), continues: isInData && flowing == depth)
            isFlowing = isInData
        } else {
            isInData = false
        }
        if isFlowing { output.removeLast() }
        flowing = isFlowing ? depth : nil
        if !isFlowing {
            output += deletesSpaces ? [0x0A] : line[range.upperBound...]
        }
        line.removeAll(keepingCapacity: true)
    }

    /// Whether a line ends within the base64 of a `data:` URL, which may begin in an earlier line.
    private func endsInData(_ text: ArraySlice<UInt8>, continues: Bool) -> Bool {
        let word = text.lastIndex(of: 0x20).map { text[($0 + 1)...] } ?? text
        let mark = word.lastIndex { $0 == UInt8(ascii: ",") }
        let digits = mark.map { word[($0 + 1)...] } ?? word
        guard digits.allSatisfy({ Base64.isDigit($0) || "-_%".utf8.contains($0) }) else {
            return false
        }
        if let mark { return line.span.hasPrefix(caseInsensitive: "base64", at: mark - 6) }
        return continues && word.startIndex == text.startIndex && !word.isEmpty
    }
}
