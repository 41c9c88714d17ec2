package import PassDetection

extension DataURLError: Worded {
    package var phrase: Phrase {
        switch self {
        case .noComma: Phrase("there is no comma in this data: URL")
        case .noBase64: Phrase("what this data: URL holds is not base64")
        case .tooLarge(let limit):
            Phrase("this data: URL holds more than {count} MiB", ["count": .number(limit >> 20)])
        }
    }
}
