package import Archives

extension TarError: Worded {
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
        case .truncated: Phrase("the archive ends too early")
        case .sparse(let name): Phrase("{name} is a sparse file", ["name": .text(name)])
        case .unknownType(let name, let type):
            Phrase(
                "{name} is of the unknown type {number}",
                ["name": .text(name), "number": .number(type)])
        }
    }
}
