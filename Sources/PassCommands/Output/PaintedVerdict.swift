internal import PassPresentation
internal import PassVerification

/// The verdict in its colour.
func painted(_ verdict: Verdict, on terminal: Terminal) -> String {
    terminal.paint(verdict.phrase.localized, colour(of: verdict))
}

/// The symbol of the verdict in its colour, for the beginning of a line, with a space behind it.
/// Where there are no symbols, the word is padded to the longest one.
func mark(_ verdict: Verdict, on terminal: Terminal) -> String {
    guard terminal.hasSymbols else { return paintedInColumn(verdict, on: terminal) + "  " }
    return terminal.paint(symbol(of: verdict), colour(of: verdict)) + " "
}

/// The verdict in its colour, padded to the longest one.
func paintedInColumn(_ verdict: Verdict, on terminal: Terminal) -> String {
    let word = verdict.phrase.localized
    let spaces = inColumn(word, Verdict.allCases.map(\.phrase.localized)).dropFirst(word.count)
    return painted(verdict, on: terminal) + spaces
}

/// Facts, one per line.
func factLines(_ facts: [PassFact], on terminal: Terminal) -> [String] {
    terminal.table(
        facts.map { ["  " + $0.label, painted($0.text, beginningWith: $0.verdict, on: terminal)] })
}

/// A text that begins with the word of a verdict, with this word in its colour.
func painted(_ text: String, beginningWith verdict: Verdict?, on terminal: Terminal) -> String {
    guard let verdict else { return text }
    return painted(verdict, on: terminal) + text.dropFirst(verdict.phrase.localized.count)
}

private func symbol(of verdict: Verdict) -> String {
    switch verdict {
    case .trusted: "\u{2713}"
    case .untrusted: "!"
    case .unsigned: "?"
    case .tampered, .malformed: "\u{2717}"
    }
}

private func colour(of verdict: Verdict) -> Colour {
    switch verdict {
    case .trusted: .green
    case .untrusted, .unsigned: .yellow
    case .tampered, .malformed: .red
    }
}
