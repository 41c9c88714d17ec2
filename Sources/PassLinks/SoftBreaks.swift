import Bytes

/// Removes breaks that may divide a URL and are not shown, from a text that arrives in pieces: soft
/// hyphens, zero-width spaces and `<wbr>` in HTML (VIOLATIONS.md, H25), and the escapes of
/// iCalendar and vCard.
struct SoftBreaks {
    private let rules: [(bytes: [UInt8], replacement: [UInt8])]
    /// Whether a break may begin with a byte.
    private let begins: [Bool]
    /// The beginning of a break, which the next piece may complete.
    private var begun: [UInt8] = []

    init(isHTML: Bool, isFolded: Bool) {
        self = isFolded ? .escapes : isHTML ? .html : .plain
    }

    private init(_ rules: [(String, String)], _ invisible: [String] = SoftBreaks.invisible) {
        let rules = rules + invisible.map { ($0, "") }
        self.rules = rules.map { (Array($0.0.utf8), Array($0.1.utf8)) }
        let first = Set(rules.compactMap(\.0.utf8.first))
        begins = (UInt8.min...UInt8.max).map(first.contains)
    }

    private static let invisible = ["\u{AD}", "\u{200B}", "\u{2060}", "\u{FEFF}"]
    private static let plain = SoftBreaks([])
    private static let html = SoftBreaks(
        ["<wbr>", "<wbr/>", "<wbr />", "</wbr>"].map { ($0, "") })
    /// RFC 5545, 3.3.11.
    private static let escapes = SoftBreaks([
        ("\\n", "\n"), ("\\N", "\n"), ("\\,", ","), ("\\;", ";"),
    ])
    /// RFC 5545, 3.1: a line continues after white space.
    static let folds = SoftBreaks(
        ["\r\n ", "\r\n\t", "\n ", "\n\t"].map { ($0, "") }, [])

    /// Appends a piece to `output` without its breaks.
    mutating func remove(from source: [UInt8], into output: inout [UInt8]) {
        for byte in source {
            if begun.isEmpty, !begins[Int(byte)] {
                output.append(byte)
                continue
            }
            begun.append(byte.isASCIILetter && !begun.isEmpty ? byte.asciiLowercased : byte)
            if let rule = rules.first(where: { $0.bytes == begun }) {
                output += rule.replacement
                begun.removeAll(keepingCapacity: true)
                continue
            }
            if isBeginning { continue }
            // Only the last byte can begin another break.
            begun.removeLast()
            finish(into: &output)
            begun = [byte]
            if !isBeginning { finish(into: &output) }
        }
    }

    /// Ends the text.
    mutating func finish(into output: inout [UInt8]) {
        output += begun
        begun.removeAll(keepingCapacity: true)
    }

    private var isBeginning: Bool {
        rules.contains { $0.bytes.starts(with: begun) }
    }
}
