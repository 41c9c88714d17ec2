package import Archives

extension ZipError: Worded {
    package var phrase: Phrase {
        switch self {
        case .notAnArchive: Phrase("not a ZIP archive")
        case .cutOff: .archiveCutOff
        case .archiveTooLarge(let limit):
            Phrase("the archive is larger than {count} bytes", ["count": .number(limit)])
        case .tooManyEntries(let count, let limit):
            .tooManyEntries(count: count, limit: limit)
        case .directoryTooLarge(let limit): .directoryTooLarge(limit: limit)
        case .damagedDirectory(let damage):
            Phrase("the archive is damaged: {reason}", ["reason": .phrase(damage.phrase)])
        case .damagedEntry(let name, let damage):
            Phrase(
                "{name} cannot be read: {reason}",
                ["name": .text(name), "reason": .phrase(damage.phrase)])
        case .entryTooLarge(let name, let limit):
            Phrase(
                "{name} is larger than {count} bytes",
                ["name": .text(name), "count": .number(limit)])
        case .totalTooLarge(let limit):
            Phrase(
                "the entries are together larger than {count} bytes", ["count": .number(limit)])
        case .ratioTooHigh(let name, let limit):
            Phrase(
                "{name} inflates to more than {count} times its size",
                ["name": .text(name), "count": .number(limit)])
        case .encrypted(let name): Phrase("{name} is encrypted", ["name": .text(name)])
        case .unsupportedCompression(let name): .unsupportedCompression(of: name)
        case .duplicateName(let name):
            Phrase("there are two entries named {name}", ["name": .text(name)])
        case .unsafeName(let name, let fault): fault.phrase(of: name)
        case .symbolicLink(let name): Phrase("{name} is a symbolic link", ["name": .text(name)])
        case .overlap(let name, let other):
            Phrase(
                "{name} and {other} overlap in the archive",
                ["name": .text(name), "other": .text(other)])
        case .otherName(let name, let other):
            Phrase(
                "the entry {name} is named '{other}' in its own header",
                ["name": .text(name), "other": .text(other)])
        case .hiddenEntry(let name): .unlistedEntry(name)
        case .file(let error): error.phrase
        }
    }
}

extension ZipError.DirectoryDamage: Worded {
    package var phrase: Phrase {
        switch self {
        case .severalDirectories: Phrase("it has two directories that differ")
        case .libzip(let reason): .verbatim(reason)
        }
    }
}

extension ZipError.EntryDamage: Worded {
    package var phrase: Phrase {
        switch self {
        case .missingHeader: Phrase("it has no local header")
        case .overlapsDirectory: Phrase("it overlaps the directory")
        case .wrongSize(let count, let declared):
            Phrase(
                "it has {number} bytes, but {count} are declared",
                ["number": .number(count), "count": .number(declared)])
        case .libzip(let reason): .verbatim(reason)
        }
    }
}

extension ZipError.UnsafeName {
    fileprivate func phrase(of name: String) -> Phrase {
        let name = ["name": Phrase.Value.text(name)]
        return switch self {
        case .empty: Phrase("the name '{name}' is empty", name)
        case .absolute: Phrase("the name '{name}' is an absolute path", name)
        case .parent:
            Phrase("the name '{name}' has an empty, '.' or '..' component", name)
        case .backslash: Phrase("the name '{name}' has a backslash", name)
        case .nul: Phrase("the name '{name}' has a NUL", name)
        case .marks:
            Phrase("the name '{name}' has more than 30 combining marks in a row", name)
        }
    }
}
