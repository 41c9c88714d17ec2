public import PassSigning

extension TemplateError: Worded {
    /// Why the folder cannot be used as a template.
    public var phrase: Phrase {
        switch self {
        case .noPass: Phrase("there is no pass.json in it")
        case .notUTF8(let file): Phrase("{name} is not UTF-8", ["name": .text(file)])
        case .notJSON(let file, let line, let column):
            Phrase(
                "{name} is not JSON at line {line}, column {column}",
                ["name": .text(file), "line": .number(line), "column": .number(column)])
        case .tooDeep(let file, let limit):
            Phrase(
                "{name} is nested more than {count} levels deep",
                ["name": .text(file), "count": .number(limit)])
        case .noSerialNumber: Phrase("serialNumber in pass.json is missing or not text")
        case .placeholder(let fault, let file, let line):
            Phrase(
                "{name}, line {line}: {reason}",
                [
                    "name": .text(file), "line": .number(line), "reason": .phrase(fault.phrase),
                ])
        case .missingColumns(let names):
            .counted(
                "the data lacks {count} column of the template: {names}",
                "the data lacks {count} columns of the template: {names}", names.count,
                ["names": .text(names.joined(separator: ", "))])
        }
    }
}

extension PlaceholderFault: Worded {
    /// What is wrong with the placeholder.
    public var phrase: Phrase {
        switch self {
        case .notClosed: Phrase("a placeholder lacks its closing braces")
        case .noName: Phrase("a placeholder does not name a column")
        case .unknownKind(let word):
            Phrase(
                "':{word}' in a placeholder is neither ':number' nor ':boolean'",
                ["word": .text(word)])
        case .kindInText(let name):
            Phrase(
                "the placeholder '{name}' must be the whole value to become a number or boolean",
                ["name": .text(name)])
        case .inKey: Phrase("a placeholder is in a key: only values may contain placeholders")
        case .notQuoted:
            Phrase(
                "a placeholder is not in quotes: write \"{example}\" for a number",
                ["example": .text("{{name:number}}")])
        }
    }
}
