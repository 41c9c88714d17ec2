internal import PassPresentation

/// A help text laid out for a terminal. Command lines are never broken.
struct HelpPage {
    let lines: [String]

    /// The sections to look things up in, at the end of the page.
    private static let reference = ["EXIT CODES", "ENVIRONMENT"]

    init(_ help: HelpText, width: Int) {
        let isReference = { (section: HelpText.Section) in
            HelpPage.reference.contains(section.title)
        }
        let sections = help.sections.filter { !isReference($0) } + help.sections.filter(isReference)
        lines = Array(sections.map { $0.laidOut(to: width) }.joined(separator: [""]))
    }
}

extension HelpText.Section {
    fileprivate func laidOut(to width: Int) -> [String] {
        let inLine = lines.prefix(1).map { "\(title): \($0)"[...] } + lines.dropFirst()
        return switch title {
        case "OVERVIEW": text(inLine, to: width)
        case "USAGE": inLine.filter { !$0.isEmpty }.flatMap { usage($0, to: width) }
        case _ where isList: [title] + list(to: width)
        default: [title] + text(lines, to: width)
        }
    }

    /// Paragraphs, and indented examples. If an explained example is too wide, all explanations go
    /// below their examples.
    private func text(_ lines: [Substring], to width: Int) -> [String] {
        let explained = /( +\S.*?) {2,}(\S.*)/
        let isTooWide = lines.contains {
            columns(String($0)) > width && $0.wholeMatch(of: explained) != nil
        }
        let laidOut = lines.flatMap { line -> [String] in
            guard line.hasPrefix(" ") else { return wrapped(String(line), to: width) }
            guard isTooWide, let match = line.wholeMatch(of: explained) else {
                return [String(line)]
            }
            return [String(match.1)] + indented(String(match.2), by: HelpText.below, to: width)
        }
        let end = laidOut.lastIndex { !$0.isEmpty } ?? 0
        return Array(laidOut.prefix(end + 1))
    }

    /// Broken before options only.
    private func usage(_ line: Substring, to width: Int) -> [String] {
        var lines: [String] = []
        for group in line.split(separator: /\ (?=\[|--)/) {
            if let last = lines.last, columns(last) + 1 + columns(String(group)) <= width {
                lines[lines.count - 1] = "\(last) \(group)"
            } else {
                lines.append(lines.isEmpty ? String(group) : "       \(group)")
            }
        }
        return lines
    }

    /// Terms with their explanations in a column, or below the terms on a narrow terminal.
    private func list(to width: Int) -> [String] {
        let written = lines.lazy.compactMap { $0.prefixMatch(of: /\ {2}\S.*? {2,}(?=\S)/) }.first
        var column = written?.output.count ?? HelpText.column
        if width - column < HelpText.column { column = HelpText.below }
        return blocks.flatMap { block -> [String] in
            switch block {
            case .paragraph(let text): [""] + indented(text, by: 2, to: width)
            case .literal(let lines): lines.map { "  \($0)" }
            case .term(let term, let meaning): item(term, meaning, column: column, to: width)
            }
        }
    }

    private func item(
        _ term: String, _ meaning: [HelpText.Block], column: Int, to width: Int
    ) -> [String] {
        let margin = String(repeating: " ", count: column)
        let lines = meaning.flatMap { block -> [String] in
            switch block {
            case .paragraph(let text): indented(text, by: column, to: width)
            case .literal(let lines): lines.map { "\(margin)  \($0)" }
            case .term: []
            }
        }
        guard let first = lines.first, columns(term) + 4 <= column else {
            return ["  \(term)"] + lines
        }
        return ["  " + padded(term, to: column - 2) + first.dropFirst(column)] + lines.dropFirst()
    }
}

private func indented(_ text: String, by count: Int, to width: Int) -> [String] {
    wrapped(text, to: width - count).map { String(repeating: " ", count: count) + $0 }
}

extension HelpText {
    /// The column of explanations in the parser's lists, and their least width.
    fileprivate static let column = 26
    /// The column of explanations below their terms.
    fileprivate static let below = 6
}
