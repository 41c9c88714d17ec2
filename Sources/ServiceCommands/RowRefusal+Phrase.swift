internal import PassModel
public import PassPresentation
public import PassService
internal import PassSession
internal import PassSigning

extension RowRefusal: Worded {
    public var phrase: Phrase {
        switch self {
        case .row(let fault): fault.phrase
        case .mistakes(let findings): RowError.mistakes(findings).phrase
        case .pass(let error): error.phrase
        case .noToken: Phrase("the pass has no authenticationToken of at least 16 characters")
        case .unknownColumns(let names, let known):
            Phrase(
                "the template has no column {names}; its columns are: {known}",
                [
                    "names": .text(names.joined(separator: ", ")),
                    "known": .text(known.joined(separator: ", ")),
                ])
        case .incompleteDate(let key, let text):
            PassEditError.wrongType(key: key, value: text, .moment).phrase
        case .changedKey(let key):
            Phrase("'{name}' is the same in all versions of a pass", ["name": .text(key)])
        }
    }
}

extension RowRefusal {
    /// The exit code of `publish` for a row that was refused.
    var exitCode: ExitCode {
        switch self {
        case .row, .pass, .unknownColumns, .changedKey, .incompleteDate: .unreadable
        case .mistakes, .noToken: .notTrusted
        }
    }
}
