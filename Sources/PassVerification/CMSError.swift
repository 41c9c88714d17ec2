package import Bytes

/// Why a CMS message (RFC 5652) gives no content.
package enum CMSError: Error, Equatable, CustomStringConvertible {
    /// It does not begin as one does.
    case notAMessage
    /// At this octet it is not what the standard says, or it ends.
    case damaged(offset: Int)
    /// A signature that lies beside what it signs, or certificates that sign nothing.
    case noContent
    case encrypted
    /// With the name of the type of content, or its object identifier.
    case unsupported(String)
    case contentTooLarge(limit: Int)
    case tooDeep(limit: Int)
    case file(FileError)

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
