package import Platform

/// Why the content of a CMS message (RFC 5652) could not be read.
package enum CMSError: Error, Hashable, Codable {
    /// The beginning is not that of a CMS message.
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
}
