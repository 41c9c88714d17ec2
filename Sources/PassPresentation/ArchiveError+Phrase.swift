package import Archives

extension ArchiveError: Worded {
    package var phrase: Phrase {
        switch self {
        case .damagedHeader(let offset):
            Phrase(
                "the archive is damaged: there is no header at byte {number}",
                ["number": .number(offset)])
        case .damagedAttributes(let offset):
            Phrase(
                "the archive is damaged: the attributes at byte {number} cannot be read",
                ["number": .number(offset)])
        case .attributesTooLarge(let offset, let limit):
            Phrase(
                "the attributes at byte {number} of the archive are longer than {count} bytes",
                ["number": .number(offset), "count": .number(limit)])
        case .truncated: .archiveCutOff
        case .sparse(let name): Phrase("{name} is a sparse file", ["name": .text(name)])
        case .unknownType(let name, let type):
            Phrase(
                "{name} is of the unknown type {number}",
                ["name": .text(name), "number": .number(type)])
        case .damaged(let format, nil):
            Phrase("the {name} archive is damaged", ["name": .text(format.rawValue)])
        case .damaged(_, let reason?):
            Phrase("the archive is damaged: {reason}", ["reason": .phrase(.verbatim(reason))])
        case .damagedFile(let name, let reason):
            Phrase(
                "{name} cannot be read: {reason}",
                ["name": .text(name), "reason": .phrase(.verbatim(reason))])
        case .unsupportedCompression(let name): .unsupportedCompression(of: name)
        case .memoryTooLarge(let limit): .memoryTooLarge(limit: limit)
        case .tooManyEntries(let count, let limit):
            .tooManyEntries(count: count, limit: limit)
        case .directoryTooLarge(let limit): .directoryTooLarge(limit: limit)
        case .ratioTooHigh(let limit): .ratioTooHigh(limit: limit)
        case .totalTooLarge(let limit): .totalTooLarge(limit: limit)
        case .outOfMemory: .noMemoryToDecompress
        case .noLibrary: .noLibarchive
        }
    }
}
