internal import PassDetection
internal import PassPresentation

/// The location of a result, for people: the file, and the message in it.
struct FoundPlace {
    private let source: String
    /// With the message, escaped.
    let text: String

    init(_ source: String, _ message: MessageReference?) {
        self.source = placeInWords(source, nil, "").escaped
        text = placeInWords(source, message, "").escaped
    }

    /// From the least useful width to that of the text.
    var widths: ClosedRange<Int> {
        min(FoundPlace.leastWidth, columns(source))...columns(text)
    }

    static let leastWidth = 19

    /// The text, or the end of the file's path if it is wider. The number of the message matters
    /// less: many files hold a single one.
    func fitted(to width: Int, on terminal: Terminal) -> String {
        columns(text) <= width ? text : shortenedPath(source, to: width, terminal.ellipsis)
    }

    /// Whether a result with this name is the file itself.
    func isEvident(from name: String) -> Bool {
        text == name || text.hasSuffix("/\(name)") && !name.isEmpty
    }
}
