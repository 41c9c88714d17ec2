/// What bytes look like that are no pass.
package enum FileType: Hashable, Sendable, Codable {
    case empty
    /// A media type, as libmagic names it.
    case media(String)
    case unknown
}
