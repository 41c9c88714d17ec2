package import PassImport

extension FileType: Worded {
    package var phrase: Phrase {
        switch self {
        case .empty: Phrase("an empty file")
        case .media(let type): .verbatim(type)
        case .unknown: Phrase("of an unknown type")
        }
    }
}
