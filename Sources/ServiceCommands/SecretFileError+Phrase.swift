public import PassPresentation
public import PassService
internal import Platform

extension SecretFileError: Worded {
    public var phrase: Phrase {
        switch self {
        case .cannotRead(let path, let code):
            Phrase(
                "cannot read {place}: {reason}",
                ["place": .text(path), "reason": .phrase(FileError(.read, code).reasonPhrase)])
        case .readableByOthers(let path):
            Phrase("other users can read {name}; run: chmod 600 {name}", ["name": .text(path)])
        case .foreignOwner(let path):
            Phrase(
                "{name} belongs to another user; its owner must be root or the user of the service",
                ["name": .text(path)])
        }
    }
}
