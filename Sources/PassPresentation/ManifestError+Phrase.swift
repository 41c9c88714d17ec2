public import PassVerification

extension ManifestError: Worded {
    /// The fault in manifest.json.
    public var phrase: Phrase {
        switch self {
        case .notText: Phrase("it is not UTF-8")
        case .syntax(let expected, let offset):
            Phrase(
                "{name} is missing at byte {number}",
                ["name": .phrase(expected.phrase), "number": .number(offset)])
        case .notAString(let path):
            Phrase("the value of {name} is not a string", ["name": .text(path)])
        case .contradiction(let path):
            Phrase("it has two different hashes for {name}", ["name": .text(path)])
        case .longCombiningRun:
            Phrase("a path in it has more than 30 combining marks in a row")
        case .tooManyPaths(let limit):
            Phrase("it lists more than {count} files", ["count": .number(limit)])
        }
    }
}

extension ManifestSyntax: Worded {
    /// The name of the syntax element, for use in a sentence.
    public var phrase: Phrase {
        switch self {
        case .openingBrace: Phrase("an opening brace")
        case .commaOrClosingBrace: Phrase("a comma or the closing brace")
        case .path: Phrase("a path in quotes")
        case .colon: Phrase("a colon")
        case .end: Phrase("the end")
        case .endOfString: Phrase("the end of a string")
        case .surrogatePair: Phrase("half of a surrogate pair")
        case .escape: Phrase("a known escape")
        case .hexadecimalDigit: Phrase("a hexadecimal digit")
        }
    }
}
