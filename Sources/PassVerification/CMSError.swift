package import Bytes

/// Why the content of a CMS message (RFC 5652) could not be read.
package enum CMSError: Error, Equatable, CustomStringConvertible {
    /// It does not begin like a CMS message.
    case notAMessage
    /// Invalid or truncated at this octet.
    case damaged(offset: Int)
    /// A detached signature, or certificates only.
    case noContent
    case encrypted
    /// With the name or object identifier of the content type.
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
