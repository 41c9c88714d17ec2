/// What is wrong with an archive or an entry. Later entries may be intact.
package enum ArchiveError: Error, Hashable, Codable {
    /// There is no valid header from `offset`, in bytes of the archive, up to the next entry, if
    /// any.
    case damagedHeader(offset: Int)
    case damagedAttributes(offset: Int)
    case attributesTooLarge(offset: Int, limit: Int)
    case truncated
    case sparse(name: String)
    case unknownType(name: String, type: UInt8)
    /// The rest of the archive cannot be read; `reason` is libarchive's error message, if any.
    case damaged(ArchiveFormat, reason: String?)
    /// A file cannot be read; `reason` is libarchive's error message.
    case damagedFile(name: String, reason: String)
    case unsupportedCompression(name: String)
    case memoryTooLarge(limit: Int)
    case tooManyEntries(count: Int, limit: Int)
    case directoryTooLarge(limit: Int)
    case ratioTooHigh(limit: Int)
    case totalTooLarge(limit: Int)
    /// Allocation failed, although within the limits.
    case outOfMemory
    /// libarchive is not installed.
    case noLibrary
}

extension ArchiveError {
    /// The size of the contained names, in bytes.
    package var textSize: Int {
        switch self {
        case .sparse(let name), .unknownType(let name, _), .damagedFile(let name, _),
            .unsupportedCompression(let name):
            name.utf8.count
        default: 0
        }
    }

    /// Whether the archive is damaged.
    package var isDamage: Bool {
        switch self {
        case .damagedHeader, .damagedAttributes, .truncated, .sparse, .unknownType, .damaged,
            .damagedFile:
            true
        default: false
        }
    }

    /// Whether the archive exceeds a limit.
    package var isLimit: Bool {
        switch self {
        case .memoryTooLarge, .tooManyEntries, .directoryTooLarge, .ratioTooHigh, .totalTooLarge:
            true
        default: false
        }
    }
}
