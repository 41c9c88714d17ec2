internal import PassModel
package import PassUpdates

extension ServiceFault: Worded {
    package var phrase: Phrase {
        switch self {
        case .unusablePass(let identity, let problem):
            Phrase(
                "{name}: {reason}",
                ["name": .text(identity.description), "reason": .phrase(problem.phrase)])
        case .unchangedPass(let identity):
            Phrase(
                "{name}: the server sent the pass again although it has not changed since If-Modified-Since",
                ["name": .text(identity.description)])
        case .noLastModified(let identity):
            Phrase(
                "{name}: the response has no Last-Modified field",
                ["name": .text(identity.description)])
        case .invalidLastModified(let identity, let value):
            Phrase(
                "{name}: Last-Modified is not a date of HTTP: {value}",
                ["name": .text(identity.description), "value": .text(value)])
        }
    }
}
