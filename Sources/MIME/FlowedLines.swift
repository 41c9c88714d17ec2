import Bytes

/// Joins the lines of `format=flowed; delsp=yes` (RFC 3676, 4), in which a space before a line end
/// stands for nothing: so mailers of Apple's break long words, and the URLs among them.
struct FlowedLines {
    /// The line that has begun.
    private var line: [UInt8] = []
    /// How deep the last line was quoted, if the next one goes on with it.
    private var flowing: Int?

    /// A longer line is handed on as it is.
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

    /// Appends the line to the output, without the marks of its quoting where it continues one.
    private mutating func end(_ output: inout [UInt8]) {
        let range = line.span.withoutLineEnding(0..<line.count)
        var start = 0
        while start < range.upperBound, line[start] == UInt8(ascii: ">") { start += 1 }
        let depth = start
        // A space before the text is stuffing (4.4).
        if start < range.upperBound, line[start] == 0x20 { start += 1 }
        let text = line[start..<range.upperBound]
        if flowing == depth {
            output += text
        } else {
            if flowing != nil { output.append(0x0A) }
            output += line[..<range.upperBound]
        }
        // `-- ` before a signature ends in a space that stays (4.3).
        let isFlowing = text.last == 0x20 && !text.elementsEqual("-- ".utf8)
        if isFlowing { output.removeLast() }
        flowing = isFlowing ? depth : nil
        if !isFlowing { output.append(0x0A) }
        line.removeAll(keepingCapacity: true)
    }
}
