import Bytes

// For the problems of PassImport, which are text.
extension ZipError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAnArchive: "not a ZIP archive"
        case .archiveTooLarge(let limit): "the archive is larger than \(limit) bytes"
        case .tooManyEntries(let count, let limit):
            "the archive has \(count) entries, more than \(limit)"
        case .directoryTooLarge(let limit):
            "the directory of the archive is larger than \(limit) bytes"
        case .damagedDirectory(let damage): "the archive is damaged: \(damage)"
        case .damagedEntry(let name, let damage): "\(name) cannot be read: \(damage)"
        case .entryTooLarge(let name, let limit): "\(name) is larger than \(limit) bytes"
        case .totalTooLarge(let limit): "the entries are together larger than \(limit) bytes"
        case .ratioTooHigh(let name, let limit):
            "\(name) inflates to more than \(limit) times its size"
        case .encrypted(let name): "\(name) is encrypted"
        case .unsupportedCompression(let name): "\(name) is compressed in an unsupported way"
        case .duplicateName(let name): "there are two entries named \(name)"
        case .unsafeName(let name, _): "the name '\(name)' is unsafe"
        case .symbolicLink(let name): "\(name) is a symbolic link"
        case .overlap(let name, let other): "\(name) and \(other) overlap in the archive"
        case .otherName(let name, let other):
            "the entry \(name) is named '\(other)' in its own header"
        case .file(let error): error.description
        }
    }
}

extension ZipError.DirectoryDamage: CustomStringConvertible {
    package var description: String {
        switch self {
        case .severalDirectories: "it has two directories that differ"
        case .libzip(let reason): reason
        }
    }
}

extension ZipError.EntryDamage: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingHeader: "it has no local header"
        case .overlapsDirectory: "it reaches into the directory"
        case .wrongSize(let count, let declared):
            "it has \(count) bytes where \(declared) are declared"
        case .libzip(let reason): reason
        }
    }
}
