public import PassSigning

extension PassFolderError: Worded {
    /// The reason as a phrase; the caller names the folder.
    public var phrase: Phrase {
        switch self {
        case .notAFolder: Phrase("not a folder")
        case .unreadable(let path, let fault):
            .joined([.verbatim(path), fault.error.phrase], separator: ": ")
        case .unsafeName(let path):
            Phrase("the name '{name}' is not allowed in an archive", ["name": .text(path)])
        case .tooManyEntries(let limit):
            Phrase("it has more than {count} files and folders", ["count": .number(limit)])
        case .tooLarge(let limit):
            Phrase("it is larger than {size}", ["size": .size(limit)])
        }
    }
}
