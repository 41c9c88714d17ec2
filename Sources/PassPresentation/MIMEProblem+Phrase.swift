package import MIME

extension MIMEProblem.Kind: Worded {
    package var phrase: Phrase {
        switch self {
        case .unreadable(let error): error.phrase
        case .nestedTooDeep(let limit):
            Phrase("parts are nested more than {count} deep", ["count": .number(limit)])
        case .tooManyParts(let limit):
            Phrase("the message has more than {count} parts", ["count": .number(limit)])
        case .partTooLarge(let limit):
            Phrase("the part is larger than {count} MiB", ["count": .number(limit >> 20)])
        case .headerTooLarge: Phrase("a header is larger than the limit")
        }
    }
}
