package import Platform

/// Why an archive or an entry could not be read, or was refused.
package enum ZipError: Error, Hashable, Codable {
    case notAnArchive
    /// It begins with an entry, and its end is missing.
    case cutOff
    case archiveTooLarge(limit: Int)
    case tooManyEntries(count: Int, limit: Int)
    case directoryTooLarge(limit: Int)
    case damagedDirectory(DirectoryDamage)
    case damagedEntry(name: String, EntryDamage)
    case entryTooLarge(name: String, limit: Int)
    case totalTooLarge(limit: Int)
    case ratioTooHigh(name: String, limit: Int)
    case encrypted(name: String)
    case unsupportedCompression(name: String)
    case duplicateName(String)
    case unsafeName(String, UnsafeName)
    case symbolicLink(name: String)
    case overlap(name: String, other: String)
    /// The name in the directory, and the name in the local header.
    case otherName(String, String)
    /// A local header has this name, and the directory does not list it.
    case hiddenEntry(name: String)
    case file(FileError)

    package enum DirectoryDamage: Sendable, Hashable, Codable {
        /// Different readers could find different directories.
        case severalDirectories
        /// libzip's error message.
        case libzip(String)
    }

    package enum EntryDamage: Sendable, Hashable, Codable {
        case missingHeader
        /// Its data would extend into the central directory.
        case overlapsDirectory
        case wrongSize(count: Int, declared: Int)
        /// libzip's error message.
        case libzip(String)
    }

    /// Why a name is unsafe.
    package enum UnsafeName: String, Sendable, Hashable, Codable, CaseIterable {
        case empty
        case absolute
        /// A component is `..`, `.` or empty.
        case parent
        case backslash
        case nul
        /// More than 30 combining marks in a row.
        case marks
    }
}

extension ZipError {
    /// The size of the contained names, in bytes.
    package var textSize: Int {
        switch self {
        case .damagedEntry(let name, _), .entryTooLarge(let name, _), .ratioTooHigh(let name, _),
            .encrypted(let name), .unsupportedCompression(let name), .duplicateName(let name),
            .unsafeName(let name, _), .symbolicLink(let name), .hiddenEntry(let name):
            name.utf8.count
        case .overlap(let name, let other), .otherName(let name, let other):
            name.utf8.count + other.utf8.count
        default: 0
        }
    }
}
