internal import PassPresentation

/// Escapes and formats text for man pages.
enum Roff {
    /// Escapes characters that roff interprets or replaces. An unescaped hyphen, for example, is
    /// printed as another character, which shells do not accept.
    static func escaped(_ text: some StringProtocol, atStart: Bool = false) -> String {
        // At the start of a line these begin a request.
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

    /// A paragraph with each sentence on a line of its own, as roff expects, and code in bold.
    static func text(_ paragraph: String) -> String {
        let paragraph = paragraph.replacing(/([a-z0-9)'"`][.?!][)'"]?) (?=[-A-Z`])/) { "\($0.1)\n" }
        let pieces = paragraph.split(separator: "`", omittingEmptySubsequences: false)
        guard pieces.count % 2 == 1 else { return escaped(paragraph, atStart: true) }
        return pieces.enumerated().map { index, piece in
            let piece = escaped(piece, atStart: index == 0)
            return index % 2 == 0 ? piece : "\\fB\(piece)\\fP"
        }.joined()
    }

    /// Turns a sentence into a clause: `Find passes.` becomes `find passes`.
    static func clause(_ sentence: String) -> String {
        let clause = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return escaped(clause.prefix(1).lowercased() + clause.dropFirst())
    }
}
