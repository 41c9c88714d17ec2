internal import PassModel
public import PassPresentation
public import PassService
internal import PassVerification
internal import Platform

// Not in PassPresentation, which would link the server into all programs.

extension ServiceError: Worded {
    public var phrase: Phrase {
        switch self {
        case .noSuchStore(let path):
            Phrase("there is no store at {place}", ["place": .text(path)])
        case .newerStore(let path):
            Phrase(
                "the store at {place} was made by a newer version of passconduit",
                ["place": .text(path)])
        case .cannotRead(let path, let code):
            Phrase(
                "cannot read {place}: {reason}",
                ["place": .text(path), "reason": .phrase(FileError(.read, code).reasonPhrase)])
        case .cannotWrite(let path, let code):
            Phrase(
                "cannot write {place}: {reason}",
                ["place": .text(path), "reason": .phrase(FileError(.write, code).reasonPhrase)])
        case .database(let path, let message):
            .joined([.verbatim(path), .verbatim(message)], separator: ": ")
        case .locked(let path):
            Phrase("the store at {place} is in use by another program", ["place": .text(path)])
        case .notTrusted(let pass, let verdict):
            .joined([.verbatim(pass.description), verdict.phrase], separator: ": ")
        case .noToken:
            Phrase("the pass has no authenticationToken of at least 16 characters")
        case .damagedFile(let path):
            Phrase("the published file {name} is gone or was changed", ["name": .text(path)])
        }
    }
}

extension Publication: Worded {
    public var phrase: Phrase {
        switch self {
        case .added: Phrase("added")
        case .updated: Phrase("updated")
        case .unchanged: Phrase("unchanged")
        }
    }
}
