internal import PassModel
public import PassPresentation
public import PassService
internal import PassSigning
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
        case .unavailable(let address, let message):
            Phrase(
                "cannot reach the database at {place}: {reason}",
                ["place": .text(address), "reason": .text(message)])
        case .noSpace(let path):
            Phrase("the disk of the store at {place} is full", ["place": .text(path)])
        case .invalidAddress:
            Phrase("--store is not an address of a PostgreSQL database")
        case .passwordInAddress:
            Phrase(
                "the address contains a password, which other users can see: put it into ~/.pgpass")
        case .tooManyDevices(let pass):
            Phrase(
                "too many devices are registered for {name}", ["name": .text(pass.description)])
        case .locked(let path):
            Phrase("the store at {place} is in use by another program", ["place": .text(path)])
        case .notTrusted(let pass, let verdict):
            .joined([.verbatim(pass.description), verdict.phrase], separator: ": ")
        case .noToken:
            RowRefusal.noToken.phrase
        case .refused(let pass, let refusal):
            .joined([.verbatim(pass.description), refusal.phrase], separator: ": ")
        case .notSigned(let pass), .cannotSign(let pass, nil):
            Phrase("the pass {name} is not signed", ["name": .text(pass.description)])
        case .cannotSign(let pass, let reason?):
            Phrase(
                "the pass {name} is not signed: {reason}",
                ["name": .text(pass.description), "reason": .phrase(reason.phrase)])
        case .noSigner(let passType, let message):
            .joined([.verbatim(passType), .verbatim(message)], separator: ": ")
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
