package import Bytes

/// Why an archive or an entry could not be read, or was refused.
package enum ZipError: Error, Equatable, CustomStringConvertible {
    case notAnArchive
    case archiveTooLarge(limit: Int)
    case tooManyEntries(count: Int, limit: Int)
    case directoryTooLarge(limit: Int)
    case damagedDirectory(String)
    case damagedEntry(name: String, String)
    case entryTooLarge(name: String, limit: Int)
    case totalTooLarge(limit: Int)
    case ratioTooHigh(name: String, limit: Int)
    case encrypted(name: String)
    case unsupportedCompression(name: String)
    case duplicateName(String)
    case unsafeName(String, UnsafeName)
    case symbolicLink(name: String)
    case overlap(name: String, other: String)
    /// The name in the directory and the one in the local header.
    case otherName(String, String)
    case file(FileError)

    /// Why a name is unsafe.
    package enum UnsafeName: String, Sendable {
        case empty = "is empty"
        case absolute = "is an absolute path"
        case parent = "has '..', '.' or nothing as a component"
        case backslash = "has a backslash"
        case nul = "has a NUL"
        case marks = "has more than 30 combining marks in a row"
    }

    package var description: String {
        switch self {
        case .notAnArchive: "not a ZIP archive"
        case .archiveTooLarge(let limit): "the archive is larger than \(limit) bytes"
        case .tooManyEntries(let count, let limit):
            "the archive has \(count) entries, more than \(limit)"
        case .directoryTooLarge(let limit):
            "the directory of the archive is larger than \(limit) bytes"
        case .damagedDirectory(let reason): "the archive is damaged: \(reason)"
        case .damagedEntry(let name, let reason): "\(name) cannot be read: \(reason)"
        case .entryTooLarge(let name, let limit): "\(name) is larger than \(limit) bytes"
        case .totalTooLarge(let limit): "the entries are together larger than \(limit) bytes"
        case .ratioTooHigh(let name, let limit):
            "\(name) inflates to more than \(limit) times its size"
        case .encrypted(let name): "\(name) is encrypted"
        case .unsupportedCompression(let name): "\(name) is compressed in an unsupported way"
        case .duplicateName(let name): "there are two entries named \(name)"
        case .unsafeName(let name, let reason): "the name '\(name)' \(reason.rawValue)"
        case .symbolicLink(let name): "\(name) is a symbolic link"
        case .overlap(let name, let other): "\(name) and \(other) overlap in the archive"
        case .otherName(let name, let other):
            "the entry \(name) is named '\(other)' in its own header"
        case .file(let error): error.description
        }
    }
}
