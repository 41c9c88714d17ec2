public import PassSigning

extension PassFolderError: Worded {
    /// Why the folder cannot be read as a pass.
    public var phrase: Phrase {
        switch self {
        case .notAFolder: Phrase("not a folder")
        case .unreadable(let path, let fault):
            .joined([.verbatim(path), fault.error.phrase], separator: ": ")
        case .unsafeName(let path):
            Phrase(
                "'{name}' is not UTF-8, or contains a character that archives must not contain",
                ["name": .text(path)])
        case .tooManyEntries(let limit):
            Phrase("it has more than {count} files", ["count": .number(limit)])
        case .tooLarge(let limit):
            Phrase("it is larger than {count} MiB", ["count": .number(limit >> 20)])
        }
    }
}
