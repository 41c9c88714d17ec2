public import PassModel

extension PassError: Worded {
    /// The fault in pass.json.
    public var phrase: Phrase {
        switch self {
        case .notJSON(let fault, let line, let column):
            Phrase(
                "pass.json is not JSON: {reason} at line {line}, column {column}",
                [
                    "reason": .phrase(fault.phrase), "line": .number(line),
                    "column": .number(column),
                ])
        case .notAnObject(let kind):
            Phrase(
                "pass.json holds {kind} instead of an object", ["kind": .phrase(kind.phrase)])
        case .missingIdentity(let key):
            Phrase("Pass dictionary must contain key '{name}'", ["name": .text(key)])
        case .longCombiningRun(let key):
            Phrase("'{name}' has more than 30 combining marks in a row", ["name": .text(key)])
        case .notUnicode(let key):
            Phrase("'{name}' is not Unicode text", ["name": .text(key)])
        case .overLimit(let name, let value):
            Phrase(
                "pass.json exceeds the limit {name} of {count}",
                ["name": .text(name), "count": .number(value)])
        }
    }
}

extension JSONFault: Worded {
    /// The syntax error as a phrase.
    public var phrase: Phrase {
        switch self {
        case .endsTooSoon: Phrase("it ends too early")
        case .textBehindEnd: Phrase("there is text after the end")
        case .missingKey: Phrase("a key in quotes is missing")
        case .missingValue: Phrase("a value is missing")
        case .missingColon: Phrase("a colon is missing")
        case .missingComma: Phrase("a comma or a closing bracket is missing")
        case .unterminatedComment: Phrase("a comment is not closed")
        case .unterminatedString: Phrase("a string is not closed")
        case .unknownEscape: Phrase("an unknown escape")
        case .shortEscape: Phrase("an escape lacks hexadecimal digits")
        case .missingDigits: Phrase("a number lacks digits")
        }
    }
}

extension JSONKind: Worded {
    /// The name of the type, for use in a sentence.
    public var phrase: Phrase {
        switch self {
        case .null: Phrase("null")
        case .boolean: Phrase("true or false")
        case .number: Phrase("a number")
        case .string: Phrase("text")
        case .array: Phrase("a list")
        case .arrayOfObjects: Phrase("a list of objects")
        case .object: Phrase("an object")
        }
    }
}
