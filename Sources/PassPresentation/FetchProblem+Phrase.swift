package import PassImport

extension FetchProblem: Worded {
    package var phrase: Phrase {
        switch self {
        case .failed(let error), .postponed(let error, nil), .unreadable(let error): error.phrase
        case .postponed(let error, let download?):
            Phrase(
                "{reason}; `passconduit downloads resume {number}` goes on with it",
                ["reason": .phrase(error.phrase), "number": .number(download)])
        case .paused(let download):
            Phrase(
                "it was paused; `passconduit downloads resume {number}` goes on with it",
                ["number": .number(download)])
        case .cancelled: Phrase("it was cancelled")
        case .elsewhere: Phrase("another process is fetching it")
        case .noPass(let type):
            noPass(
                type == .empty
                    ? Phrase("it is an empty file")
                    : Phrase("it is {type}", ["type": .phrase(type.phrase)]))
        case .webPage(nil): noPass(Phrase("it is a web page"))
        case .webPage(let title?):
            noPass(Phrase("it is a web page, '{name}'", ["name": .text(title)]))
        case .link(let error):
            Phrase("a link is not followed: {reason}", ["reason": .phrase(error.phrase)])
        case .tooManyLinks: Phrase("the page has more links than are followed")
        case .longLink: Phrase("the page has a link that is longer than is followed")
        }
    }

    private func noPass(_ reason: Phrase) -> Phrase {
        Phrase("there is no pass: {reason}", ["reason": .phrase(reason)])
    }
}
