internal import PassPresentation

/// Text as the source of a man page has it.
enum Roff {
    /// The characters that roff would take for something else or print as another: a hyphen would
    /// become one that no shell knows.
    static func escaped(_ text: some StringProtocol, atStart: Bool = false) -> String {
        // At the start of a line these two make it a request.
        let isRequest = atStart && (text.first == "." || text.first == "'")
        return (isRequest ? "\\&" : "")
            + text.map { character in
                switch character {
                case "\\": "\\e"
                case "-": "\\-"
                case "'": "\\(aq"
                case "`": "\\(ga"
                case "\"": "\\(dq"
                case "^": "\\(ha"
                case "~": "\\(ti"
                default: String(character)
                }
            }.joined()
    }

    /// A paragraph: each sentence on a line of its own, as roff likes it, and what stands in
    /// backquotes in bold.
    static func text(_ paragraph: String) -> String {
        let paragraph = paragraph.replacing(/([a-z0-9)'"`][.?!][)'"]?) (?=[-A-Z`])/) { "\($0.1)\n" }
        let pieces = paragraph.split(separator: "`", omittingEmptySubsequences: false)
        guard pieces.count % 2 == 1 else { return escaped(paragraph, atStart: true) }
        return pieces.enumerated().map { index, piece in
            let piece = escaped(piece, atStart: index == 0)
            return index % 2 == 0 ? piece : "\\fB\(piece)\\fP"
        }.joined()
    }

    /// A sentence as the clause that follows a name: `Find passes.` is `find passes`.
    static func clause(_ sentence: String) -> String {
        let clause = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return escaped(clause.prefix(1).lowercased() + clause.dropFirst())
    }
}
