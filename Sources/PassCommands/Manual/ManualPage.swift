internal import PassPresentation
internal import Platform

/// A man page in mdoc(7) macros, generated from a help text.
struct ManualPage {
    /// For example `passconduit-scan`.
    let name: String
    var help: HelpText
    /// Related pages with their sections, such as `passconduit 1`.
    let related: Set<String>

    /// The mdoc source of the page.
    var source: String {
        var help = help
        var overview = HelpText.Section(title: "DESCRIPTION", lines: help.take("OVERVIEW"))
        let abstract = overview.lines.first.map(String.init) ?? ""
        // Keep the first line separate from the paragraphs below.
        if overview.lines.count > 1 { overview.lines.insert("", at: 1) }
        var lines = [
            ".Dd \(Release.day)", ".Dt \(name.uppercased()) 1",
            ".Os passconduit \(Release.version)",
            ".Sh NAME", ".Nm \(name)", ".Nd \(Roff.clause(abstract))", ".Sh SYNOPSIS",
        ]
        lines += synopsis(help.take("USAGE"))
        for section in [overview] + help.sections.sorted(by: { rank($0) < rank($1) }) {
            lines += written(section)
        }
        lines.append(".Sh SEE ALSO")
        let pages = related.sorted { ($0.suffix(1), $0) < ($1.suffix(1), $1) }
        lines += pages.map { ".Xr \($0)\($0 == pages.last ? "" : " ,")" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The position of a section in mdoc(7)'s order. Other sections come in between, in the order
    /// of the help.
    private func rank(_ section: HelpText.Section) -> Int {
        let last = ["ENVIRONMENT", "FILES", "EXIT CODES", "EXAMPLES"]
        return last.firstIndex(of: section.title).map { $0 + 1 } ?? 0
    }

    private func written(_ section: HelpText.Section) -> [String] {
        var lines = [".Sh \(section.title == "EXIT CODES" ? "EXIT STATUS" : section.title)"]
        var isList = false
        for block in section.blocks {
            let isTerm = if case .term = block { true } else { false }
            if isTerm != isList { lines.append(isTerm ? ".Bl -tag -width Ds" : ".El") }
            isList = isTerm
            switch block {
            case .term(let term, let meaning):
                lines.append(".It \(section.macro)\(macros(term))")
                for (index, block) in meaning.enumerated() {
                    if index > 0, case .paragraph = block { lines.append(".Pp") }
                    lines += roff(of: block)
                }
            case .paragraph where lines.count > 1: lines += [".Pp"] + roff(of: block)
            default: lines += roff(of: block)
            }
        }
        return lines + (isList ? [".El"] : [])
    }
}

/// The source of a block.
private func roff(of block: HelpText.Block) -> [String] {
    switch block {
    case .paragraph(let text), .term(let text, _): [Roff.text(text)]
    case .literal(let lines):
        [".Bd -literal -offset indent"] + lines.map { Roff.escaped($0, atStart: true) } + [".Ed"]
    }
}

extension HelpText.Section {
    /// The macro for terms that are neither options nor arguments.
    fileprivate var macro: String {
        if title == "ENVIRONMENT" { return "Ev " }
        return title.hasSuffix("SUBCOMMANDS") ? "Cm " : ""
    }
}

/// Formats `passconduit scan <path> ... [--json]` with one line per bracket. Each alternative form
/// begins with the program's name.
private func synopsis(_ usage: [Substring]) -> [String] {
    var lines: [String] = []
    for line in usage {
        var rest = line.drop { $0 == " " }
        if let name = rest.prefixMatch(of: /passconduit[-a-z]*(?: [a-z][-a-z]*)*/) {
            lines.append(".Nm \"\(name.output)\"")
            rest = rest[name.range.upperBound...]
        }
        for group in rest.split(separator: /\ (?=\[)/) where !group.isEmpty {
            lines.append(".\(macros(group))")
        }
    }
    return lines
}

/// Options and arguments as macros: `--jobs <number>` becomes `Fl Fl jobs Ar number`.
private func macros(_ words: some StringProtocol) -> String {
    let words = String(words)
    let word = /--?[A-Za-z0-9][-A-Za-z0-9]*|<[^>]+>|[\[\],|]|[^ \[\],|<]+/
    var macros: [String] = []
    var end = words.startIndex
    for match in words.matches(of: word) {
        let word = match.output
        // Suppress the space that mdoc inserts, except next to brackets and commas.
        if match.range.lowerBound == end, !macros.isEmpty, macros.last != "Oo",
            !["]", ",", "|"].contains(word)
        {
            macros.append("Ns")
        }
        end = match.range.upperBound
        switch word.first {
        case "[": macros.append("Oo")
        case "]": macros.append("Oc")
        case "<": macros.append("Ar \(Roff.escaped(word.dropFirst().dropLast()))")
        case "-" where word.hasPrefix("--"):
            macros.append("Fl Fl \(Roff.escaped(word.dropFirst(2)))")
        case "-" where word.count > 1: macros.append("Fl \(Roff.escaped(word.dropFirst()))")
        default: macros.append(Roff.escaped(word))
        }
    }
    return macros.joined(separator: " ")
}
