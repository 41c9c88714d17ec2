public import PassSigning

extension RowFault: Worded {
    /// Why no pass is made of the row.
    public var phrase: Phrase {
        switch self {
        case .tooLong(let limit): Phrase("longer than {size}", ["size": .size(limit)])
        case .notUTF8: Phrase("not UTF-8")
        case .unclosedQuote: Phrase("a quote is still open at the end of the data")
        case .textAfterQuote:
            Phrase("text follows a closing quote: double each quote within a value")
        case .loneCarriageReturn:
            Phrase("a carriage return without a line feed: lines must end with a line feed")
        case .fieldCount(let expected, let found):
            .counted(
                "the row has {count} value instead of {number}",
                "the row has {count} values instead of {number}", found,
                ["number": .number(expected)])
        case .notJSON(let byte): Phrase("not JSON at byte {number}", ["number": .number(byte)])
        case .notAnObject: Phrase("not a JSON object")
        case .nested(let column):
            Phrase("the value of '{name}' is a list or an object", ["name": .text(column)])
        case .repeatedColumn(let name):
            Phrase("'{name}' occurs twice", ["name": .text(name)])
        case .tooManyColumns(let limit):
            Phrase("the row has more than {count} values", ["count": .number(limit)])
        case .missing(let column):
            Phrase(
                "no value for '{name}': write {example} in the template if it may be missing",
                ["name": .text(column), "example": .text("{{\(column)?}}")])
        case .notANumber(let column, let value):
            Phrase(
                "'{text}' for '{name}' is not a JSON number",
                ["name": .text(column), "text": .text(value)])
        case .notABoolean(let column, let value):
            Phrase(
                "'{text}' for '{name}' is neither true nor false",
                ["name": .text(column), "text": .text(value)])
        case .image(let column, let path, let fault):
            Phrase(
                "{place} cannot be used as {name}: {reason}",
                [
                    "place": .text(path), "name": .text(column), "reason": .phrase(fault.phrase),
                ])
        case .noSerialNumber: Phrase("the serial number is empty")
        case .longCombiningRun:
            Phrase("the serial number or pass type has more than 30 combining marks in a row")
        case .noName: Phrase("the file name is empty")
        case .nameTooLong(let limit):
            Phrase("the file name is longer than {size}", ["size": .size(limit)])
        case .repeatedSerialNumber(let serial, let line):
            Phrase(
                "line {line} already has the serial number '{name}'",
                ["name": .text(serial), "line": .number(line)])
        case .repeatedName(let name, let line):
            Phrase(
                "line {line} already has the file name {name}",
                ["name": .text(name), "line": .number(line)])
        }
    }
}

extension ImageFault: Worded {
    /// Why the file is not taken as an image.
    public var phrase: Phrase {
        switch self {
        case .absolute: Phrase("the path must be relative to the folder of the data")
        case .outside: Phrase("the path must not leave the folder of the data")
        case .link: Phrase("symbolic links are not followed")
        case .notAFile: Phrase("not a regular file")
        case .unreadable(let fault): fault.error.phrase
        case .tooLarge(let limit): Phrase("larger than {size}", ["size": .size(limit)])
        case .notPNG: Phrase("not a PNG file")
        }
    }
}
