/// What is wrong with a tar archive or an entry. Later entries may be intact.
package enum TarError: Error, Hashable, Codable {
    /// There is no valid header from `offset`, in bytes of the archive, up to the next entry, if
    /// any.
    case damagedHeader(offset: Int)
    case damagedAttributes(offset: Int)
    case attributesTooLarge(offset: Int, limit: Int)
    case truncated
    case sparse(name: String)
    case unknownType(name: String, type: UInt8)
}

extension TarError {
    /// The size of the contained names, in bytes.
    package var textSize: Int {
        switch self {
        case .sparse(let name), .unknownType(let name, _): name.utf8.count
        default: 0
        }
    }
}
