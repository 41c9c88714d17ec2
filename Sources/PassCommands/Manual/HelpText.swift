/// The parsed help of a command. Man pages are made from it, so that both say the same.
struct HelpText {
    /// A heading in capitals and the lines below it.
    struct Section {
        let title: String
        var lines: [Substring]

        /// Whether its indented lines are terms with explanations.
        var isList: Bool {
            ["ARGUMENTS", "OPTIONS", "EXIT CODES", "ENVIRONMENT", "FILES"].contains(title)
                || title.hasSuffix("SUBCOMMANDS")
        }
    }

    indirect enum Block {
        case paragraph(String)
        case literal([Substring])
        case term(String, meaning: [Block])
    }

    private(set) var sections: [Section] = []

    /// A width, in columns, at which the parser wraps no paragraph.
    static let unwrapped = 100_000

    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let heading = /([A-Z]+(?: [A-Z]+)*)(?: \(.+\))?(?:: ?(.*))?/
            if let match = line.wholeMatch(of: heading) {
                sections.append(Section(title: String(match.1), lines: []))
                if let rest = match.2, !rest.isEmpty { sections[sections.count - 1].lines = [rest] }
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
    }

    /// Removes a section and returns its lines.
    mutating func take(_ title: String) -> [Substring] {
        guard let index = sections.firstIndex(where: { $0.title == title }) else { return [] }
        return sections.remove(at: index).lines
    }

    /// Adds a section of another text: appended to this text's own section, or only if it has none.
    func completed(by other: HelpText, _ title: String, unlessThere: Bool = false) -> HelpText {
        guard let section = other.sections.first(where: { $0.title == title }) else { return self }
        var text = self
        if let index = sections.firstIndex(where: { $0.title == title }) {
            if !unlessThere { text.sections[index].lines += section.lines }
        } else {
            text.sections.append(section)
        }
        return text
    }
}

extension HelpText.Section {
    var blocks: [HelpText.Block] {
        var blocks: [HelpText.Block] = []
        var isApart = true
        /// The column where the last explanation begins; deeper lines are examples.
        var column: Int?
        for line in lines {
            defer { isApart = line.isEmpty }
            let text = line.drop { $0 == " " }
            let indentation = line.count - text.count
            switch (blocks.last, indentation) {
            case (_, _) where text.isEmpty: continue
            case (.paragraph(let start), 0) where !isApart:
                blocks[blocks.count - 1] = .paragraph("\(start) \(text)")
            case (_, 0): blocks.append(.paragraph(String(text)))
            case (.term(let term, var meaning), 3...) where isList:
                let start = column ?? indentation
                column = start
                if indentation > start {
                    meaning.append(.literal([text]))
                } else if case .paragraph(let sentence) = meaning.last {
                    meaning[meaning.count - 1] = .paragraph("\(sentence) \(text)")
                } else {
                    meaning.append(.paragraph(String(text)))
                }
                blocks[blocks.count - 1] = .term(term, meaning: meaning)
            case (_, _) where isList:
                // Two or more spaces separate a term from its explanation.
                let gap = text.firstRange(of: /\ {2,}/)
                let term = String(text[..<(gap?.lowerBound ?? text.endIndex)])
                let meaning = gap.map { text[$0.upperBound...] }
                column = meaning.map { line.count - $0.count }
                blocks.append(.term(term, meaning: meaning.map { [.paragraph(String($0))] } ?? []))
            case (.literal(let start), _):
                // Empty lines within an example belong to it.
                let line = line.dropFirst(2)
                blocks[blocks.count - 1] = .literal(start + (isApart ? ["", line] : [line]))
            default: blocks.append(.literal([line.dropFirst(2)]))
            }
        }
        // A line without an explanation is a sentence, not a term.
        return blocks.map { block in
            guard case .term(let text, let meaning) = block, meaning.isEmpty else { return block }
            return .paragraph(text)
        }
    }
}
