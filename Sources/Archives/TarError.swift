/// What is wrong with a tar archive, or with one entry of it. What comes after may be well.
package enum TarError: Error, Equatable, CustomStringConvertible {
    /// From the offset on, in bytes of the archive, there is no entry up to the next one, if any.
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
