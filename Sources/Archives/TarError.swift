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
