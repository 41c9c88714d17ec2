package import PassLinks

extension DataURLError: Worded {
    package var phrase: Phrase {
        switch self {
        case .noComma: Phrase("this data: URL has no comma")
        case .noBase64: Phrase("this data: URL is not valid base64")
        case .tooLarge(let limit):
            Phrase("this data: URL holds more than {count} MiB", ["count": .number(limit >> 20)])
        }
    }
}
