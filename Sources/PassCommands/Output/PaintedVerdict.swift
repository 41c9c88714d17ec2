internal import PassPresentation
internal import PassVerification

/// A verdict in its colour.
func painted(_ verdict: Verdict, on terminal: Terminal) -> String {
    let colour: Colour =
        switch verdict {
        case .trusted: .green
        case .untrusted, .unsigned: .yellow
        case .tampered, .malformed: .red
        }
    return terminal.paint(inWords(verdict), colour)
}

/// The same, as wide as the longest of them.
func paintedInColumn(_ verdict: Verdict, on terminal: Terminal) -> String {
    let word = inWords(verdict)
    let spaces = inColumn(word, Verdict.allCases.map(inWords)).dropFirst(word.count)
    return painted(verdict, on: terminal) + spaces
}
