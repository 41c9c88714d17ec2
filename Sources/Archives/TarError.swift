/// What is wrong with a tar archive or an entry. Later entries may be intact.
package enum TarError: Error, Equatable, CustomStringConvertible {
    /// There is no valid header from `offset`, in bytes of the archive, up to the next entry, if
    /// any.
    case damagedHeader(offset: Int)
    case damagedAttributes(offset: Int)
    case attributesTooLarge(offset: Int, limit: Int)
    case truncated
    case sparse(name: String)
    case unknownType(name: String, type: UInt8)

    package var description: String {
        switch self {
        case .damagedHeader(let offset):
            "the archive is damaged: there is no header at byte \(offset)"
        case .damagedAttributes(let offset):
            "the archive is damaged: the attributes at byte \(offset) are none"
        case .attributesTooLarge(let offset, let limit):
            "the attributes at byte \(offset) of the archive are larger than \(limit) bytes"
        case .truncated: "the archive ends too early"
        case .sparse(let name): "\(name) is a sparse file"
        case .unknownType(let name, let type): "\(name) is of the unknown type \(type)"
        }
    }
}
