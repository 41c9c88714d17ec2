public import PassSigning

extension RowFileError: Worded {
    /// Why the file of data cannot be read.
    public var phrase: Phrase {
        switch self {
        case .unreadable(let fault): fault.error.phrase
        case .notAFile: Phrase("not a regular file")
        case .utf16: Phrase("the data is UTF-16: save it as UTF-8")
        case .noHeader: Phrase("the data is empty: its first line must name the columns")
        case .noObject: Phrase("the data is empty: each line must be a JSON object")
        case .badHeader(let line, let fault):
            Phrase(
                "the names of the columns on line {line} cannot be read: {reason}",
                ["line": .number(line), "reason": .phrase(fault.phrase)])
        case .namelessColumn(let number):
            Phrase("column {number} of the data has no name", ["number": .number(number)])
        case .repeatedColumn(let name):
            Phrase("the data has two columns named '{name}'", ["name": .text(name)])
        case .tooManyColumns(let limit):
            Phrase("the data has more than {count} columns", ["count": .number(limit)])
        case .tooManyRepeats(let limit):
            Phrase(
                "more than {count} serial numbers or file names are repeated",
                ["count": .number(limit)])
        }
    }
}
