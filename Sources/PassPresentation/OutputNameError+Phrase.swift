public import PassSigning

extension OutputNameError: Worded {
    /// Why the text is not a pattern for the names of files.
    public var phrase: Phrase {
        switch self {
        case .noPlaceholder:
            Phrase(
                "all passes would have the same name: add a placeholder such as {example}",
                ["example": .text("{{serialNumber}}")])
        case .placeholder(let fault): fault.phrase
        case .slash: Phrase("a file name must not contain a slash")
        case .controlCharacter: Phrase("a file name must not contain control characters")
        case .leadingDot: Phrase("a file name that begins with a dot would be hidden")
        }
    }
}
