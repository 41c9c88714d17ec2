import Bytes

/// Mail as an SMTP dialogue in a file: batch SMTP (RFC 2442), and recorded sessions
/// (VIOLATIONS.md, B16).
package struct BatchSMTP: FramedLines {
    private enum Section {
        case commands, firstLine, message
    }

    private var section = Section.commands

    /// Whether the lines up to the first message are SMTP commands and replies.
    static func begins(_ source: Span<UInt8>, at start: Int) -> Bool {
        var position = start
        var namesSender = false
        while position < source.count {
            let line = position..<source.endOfLine(from: position, limit: source.count)
            if isData(source, line) { return namesSender }
            guard isCommand(source, line) || isAnswer(source, line) else { return false }
            namesSender =
                namesSender || source.hasPrefix(caseInsensitive: "mail from:", at: position)
            position = line.upperBound
        }
        return false
    }

    /// Whether these bytes may begin such a dialogue, whose sender and message may follow.
    package static func mayBegin(_ source: Span<UInt8>) -> Bool {
        let line = 0..<source.endOfLine(from: 0, limit: source.count)
        guard line.upperBound < source.count else { return false }
        guard isCommand(source, line) || source.hasPrefix("220 ", at: 0) else { return false }
        let next = line.upperBound..<source.endOfLine(from: line.upperBound, limit: source.count)
        // The second line may be cut.
        return next.upperBound == source.count || isCommand(source, next) || isAnswer(source, next)
    }

    mutating func role(of line: Range<Int>, in bytes: Span<UInt8>) -> LineRole {
        switch section {
        case .commands:
            if BatchSMTP.isData(bytes, line) { section = .firstLine }
            return .boundary
        case .firstLine where BatchSMTP.isAnswer(bytes, line):
            return .outside
        case .firstLine, .message:
            section = .message
            guard bytes[line.lowerBound] == UInt8(ascii: ".") else {
                return .content(line)
            }
            if bytes.withoutLineEnding(line).count == 1 {
                section = .commands
                return .boundary
            }
            // RFC 5321, 4.5.2: a leading dot was added for transparency.
            return .content(line.dropFirst())
        }
    }

    private static func isData(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        source.hasPrefix(caseInsensitive: "data", at: line.lowerBound)
            && source.trimmed(line).count == 4
    }

    private static let commands: [StaticString] = [
        "helo ", "ehlo ", "lhlo ", "mail from:", "rcpt to:", "rset", "noop", "vrfy ", "verb",
        "auth ", "starttls", "tick ", "xclient ", "xforward ",
    ]

    private static func isCommand(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        commands.contains { source.hasPrefix(caseInsensitive: $0, at: line.lowerBound) }
    }

    /// Whether the line is a reply (RFC 5321, 4.2): three digits, then a space or a hyphen and
    /// text.
    private static func isAnswer(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let text = source.withoutLineEnding(line)
        guard text.count >= 3, text.prefix(3).allSatisfy({ source[$0].isASCIIDigit }) else {
            return false
        }
        let next = text.lowerBound + 3
        return next == text.upperBound || source[next] == 0x20 || source[next] == 0x2D
    }
}
