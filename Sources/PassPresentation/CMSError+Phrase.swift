package import Cryptography

extension CMSError: Worded {
    package var phrase: Phrase {
        switch self {
        case .notAMessage: Phrase("not a CMS message")
        case .damaged(let offset):
            Phrase("the CMS message is damaged at byte {number}", ["number": .number(offset)])
        case .noContent: Phrase("the CMS message carries no content")
        case .encrypted: Phrase("the CMS message is encrypted")
        case .unsupported(let type):
            Phrase("CMS messages of the type {type} are not supported", ["type": .text(type)])
        case .contentTooLarge(let limit):
            Phrase(
                "the content of the CMS message is larger than {count} bytes",
                ["count": .number(limit)])
        case .tooDeep(let limit):
            Phrase(
                "the content of the CMS message is nested deeper than {count} levels",
                ["count": .number(limit)])
        case .file(let error): error.phrase
        }
    }
}
