package import PassImport

extension FetchProblem: Worded {
    package var phrase: Phrase {
        switch self {
        case .failed(let error), .postponed(let error, nil), .unreadable(let error): error.phrase
        case .postponed(let error, let download?):
            Phrase(
                "{reason}; `passconduit downloads resume {number}` continues it",
                ["reason": .phrase(error.phrase), "number": .number(download)])
        case .paused(let download):
            Phrase(
                "paused; `passconduit downloads resume {number}` continues it",
                ["number": .number(download)])
        case .cancelled: Phrase("it was cancelled")
        case .elsewhere: Phrase("another process is downloading it")
        case .noPass(let type):
            noPass(
                type == .empty
                    ? Phrase("it is an empty file")
                    : Phrase("it is {type}", ["type": .phrase(type.phrase)]))
        case .webPage(let title):
            Phrase(
                "{reason}; some servers send passes only to phones (--user-agent)",
                ["reason": .phrase(noPass(page(title)))])
        case .link(let error):
            Phrase("a link is not followed: {reason}", ["reason": .phrase(error.phrase)])
        case .tooManyLinks: Phrase("the page has too many links: not all were followed")
        case .longLink: Phrase("a link on the page is too long to follow")
        }
    }

    private func page(_ title: String?) -> Phrase {
        title.map { Phrase("it is a web page, '{name}'", ["name": .text($0)]) }
            ?? Phrase("it is a web page")
    }

    private func noPass(_ reason: Phrase) -> Phrase {
        Phrase("no pass: {reason}", ["reason": .phrase(reason)])
    }
}
