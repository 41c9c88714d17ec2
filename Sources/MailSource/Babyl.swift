import Bytes

/// The mailbox format of Emacs' Rmail before version 23.
///
/// A message begins after a line of the bytes 1F 0C, with a line of labels. A message reformatted
/// by Rmail has two headers: the original before the line `*** EOOH ***`, and the displayed one
/// after it.
struct Babyl: FramedLines {
    private enum Section {
        case between, labels, header, shownHeader, body
    }

    private var section = Section.between
    /// Whether the original header had a line, and whether it ended.
    private var hasHeader = false
    private var isHeaderEnded = false

    static func begins(_ source: Span<UInt8>, at start: Int) -> Bool {
        source.hasPrefix("BABYL OPTIONS:", at: start)
    }

    mutating func role(of line: Range<Int>, in bytes: Span<UInt8>) -> LineRole {
        let text = bytes.withoutLineEnding(line)
        if bytes.hasPrefix("\u{1F}", at: text.lowerBound), text.count <= 2 {
            let begins = bytes.hasPrefix("\u{1F}\u{C}", at: text.lowerBound)
            if begins || text.count == 1 {
                section = begins ? .labels : .between
                return .boundary
            }
        }
        switch section {
        case .between:
            return .outside
        case .labels:
            section = .header
            hasHeader = false
            isHeaderEnded = false
            return .outside
        case .header:
            if text.count == 12, bytes.hasPrefix("*** EOOH ***", at: text.lowerBound) {
                section = hasHeader ? .shownHeader : .body
                return .outside
            }
            hasHeader = true
            if text.isEmpty { isHeaderEnded = true }
            return .content(line)
        case .shownHeader:
            guard text.isEmpty else { return .outside }
            section = .body
            return isHeaderEnded ? .outside : .content(line)
        case .body:
            return .content(line)
        }
    }
}
