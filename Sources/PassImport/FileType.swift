/// The apparent type of bytes that are not a pass.
package enum FileType: Hashable, Sendable, Codable {
    case empty
    /// A media type according to libmagic.
    case media(String)
    case unknown
}
