package import Fetching
package import PassLinks
package import PassPresentation

/// Why a word names nothing that can be read.
package enum UnreadableWord: Error, Equatable {
    case notURL
    case notFileURL
    case notPassURL
    /// A passURL, given to a command that reads new passes.
    case storedPass
    case onAnotherComputer
    case noHost
    case unknownScheme(String)
    case data(DataURLError)
    /// A URL that is not fetched.
    case refused(FetchFailure)
    /// A line of a list; the limit is in bytes.
    case lineTooLong(limit: Int)
}

extension UnreadableWord: Worded {
    package var phrase: Phrase {
        switch self {
        case .notURL: Phrase("this is not a URL")
        case .notFileURL: Phrase("this is not the URL of a file")
        case .notPassURL:
            Phrase(
                "this URL does not have the form {text}",
                ["text": .text("passconduit:pass/TYPE/SERIAL")])
        case .storedPass: Phrase("this is the URL of a pass in the library (`open` shows it)")
        case .onAnotherComputer: Phrase("this file is on another computer")
        case .noHost: Phrase("this URL has no valid host")
        case .unknownScheme(let scheme):
            Phrase(
                "{name}: URLs are not supported, only https:, http:, file: and data: URLs",
                ["name": .text(scheme)])
        case .data(let error): error.phrase
        case .refused(let failure): failure.phrase
        case .lineTooLong(let limit):
            Phrase("longer than {count} MiB", ["count": .number(limit >> 20)])
        }
    }
}
