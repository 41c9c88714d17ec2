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
    return terminal.paint(inWords(verdict), colour)
}

/// The verdict in its colour, padded to the longest one.
func paintedInColumn(_ verdict: Verdict, on terminal: Terminal) -> String {
    let word = inWords(verdict)
    let spaces = inColumn(word, Verdict.allCases.map(inWords)).dropFirst(word.count)
    return painted(verdict, on: terminal) + spaces
}
