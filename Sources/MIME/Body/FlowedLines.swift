import Bytes

/// Joins the lines of `format=flowed; delsp=yes` (RFC 3676, 4), in which a space before a line end
/// is deleted. Apple's mailers break long words this way, URLs included.
struct FlowedLines {
    /// The line being read.
    private var line: [UInt8] = []
    /// The quote depth of the last line, if the next line continues it.
    private var flowing: Int?

    /// Longer lines are passed on unchanged.
    private static let longest = 64 << 10

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
        let isFlowing = text.last == 0x20 && !text.elementsEqual("-- ".utf8)
        if isFlowing { output.removeLast() }
        flowing = isFlowing ? depth : nil
        if !isFlowing { output.append(0x0A) }
        line.removeAll(keepingCapacity: true)
    }
}
