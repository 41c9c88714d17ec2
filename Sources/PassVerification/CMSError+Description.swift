import Bytes

// For the problems of PassImport, which are text.
extension CMSError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAMessage: "not a CMS message"
        case .damaged(let offset): "the CMS message is damaged at byte \(offset)"
        case .noContent: "the CMS message carries no content"
        case .encrypted: "the CMS message is encrypted"
        case .unsupported(let type): "CMS messages of the type \(type) are not supported"
        case .contentTooLarge(let limit):
            "the content of the CMS message is larger than \(limit) bytes"
        case .tooDeep(let limit):
            "the content of the CMS message is nested deeper than \(limit) levels"
        case .file(let error): error.description
        }
    }
}
