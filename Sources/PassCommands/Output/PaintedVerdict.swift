internal import PassPresentation
internal import PassVerification

/// The verdict in its colour.
func painted(_ verdict: Verdict, on terminal: Terminal) -> String {
    let colour: Colour =
        switch verdict {
        case .trusted: .green
        case .untrusted, .unsigned: .yellow
        case .tampered, .malformed: .red
        }
    return terminal.paint(verdict.phrase.localized, colour)
}

/// The verdict in its colour, padded to the longest one.
func paintedInColumn(_ verdict: Verdict, on terminal: Terminal) -> String {
    let word = verdict.phrase.localized
    let spaces = inColumn(word, Verdict.allCases.map(\.phrase.localized)).dropFirst(word.count)
    return painted(verdict, on: terminal) + spaces
}
