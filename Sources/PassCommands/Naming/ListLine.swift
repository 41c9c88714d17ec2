internal import Bytes
internal import PassLinks
internal import PassPresentation
internal import PassSession

/// The lines of a list of URLs (RFC 2483, 5).
enum ListLine {
    /// The source that a line names; nil for white space and comments.
    static func word(_ line: [UInt8]) throws(UnreadableWord) -> SourceWord? {
        if isNothing(line) { return nil }
        guard isOneWord(line), let word = try SourceWord.url(text(line)) else {
            throw .notURL
        }
        if case .stored = word { throw .storedPass }
        return word
    }

    /// Whether a line is white space or a comment.
    static func isNothing(_ line: [UInt8]) -> Bool {
        let first = text(line).first
        return first == nil || first == UInt8(ascii: "#")
    }

    /// Whether a line consists of a supported URL. Prose that begins with a URL does not.
    static func isURL(_ line: [UInt8], ofFile: Bool = false) -> Bool {
        guard isOneWord(line) else { return false }
        let url = SourceWord.unwrapped(text(line))
        let scheme = URLScheme(of: url)?.name
        if ofFile, scheme != "file" { return false }
        return switch scheme {
        case "https", "http": WebURL(url) != nil
        case "file": url.span.hasPrefix("/", at: 5)
        case "data": url.contains(UInt8(ascii: ","))
        default: false
        }
    }

    /// Whether an incomplete line may become a line of a list.
    static func mayBegin(_ line: [UInt8]) -> Bool {
        // The byte order mark may be incomplete.
        if isNothing(line) || ByteOrderMark.utf8.bytes.starts(with: line) { return true }
        guard isOneWord(line) else { return false }
        var begin = text(line).prefix(9).map(\.asciiLowercased)[...]
        if begin.first == UInt8(ascii: "<") { begin = begin.dropFirst() }
        return ["https://", "http://", "file:/", "data:", "url:"].contains { scheme in
            zip(begin, scheme.utf8).allSatisfy { $0 == $1 }
        }
    }

    private static func isOneWord(_ line: [UInt8]) -> Bool {
        text(line).allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// The line without surrounding white space and without a byte order mark.
    private static func text(_ line: [UInt8]) -> [UInt8] {
        let start = ByteOrderMark.utf8.length(in: line.span)
        return Array(line[line.span.trimmed(start..<line.count)])
    }
}

/// A line of a list that is not a supported URL.
struct BadLine: Error, Sendable, Equatable {
    /// Counted from 1.
    let number: Int
    let reason: UnreadableWord

    /// Part of the JSON records, so never change it.
    static let code = "bad-url"

    var phrase: Phrase {
        Phrase(
            "line {number}: {reason}",
            ["number": .number(number), "reason": .phrase(reason.phrase)])
    }
}
