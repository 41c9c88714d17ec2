public import PassPresentation
public import PassService
internal import Platform

extension PushError: Worded {
    public var phrase: Phrase {
        switch self {
        case .cannotRead(let path, let code):
            Phrase(
                "cannot read {place}: {reason}",
                ["place": .text(path), "reason": .phrase(FileError(.read, code).reasonPhrase)])
        case .readableByOthers(let path):
            Phrase(
                "other users can read {place}: change its permissions with chmod 600",
                ["place": .text(path)])
        case .notATokenKey(let path):
            Phrase(
                "{place} is not a key for the push service (.p8)", ["place": .text(path)])
        case .keyElsewhere(let name):
            Phrase(
                "the key of {name} is in ssh-agent or a token, which cannot be used for pushes",
                ["name": .text(name)])
        case .noPassType(let name):
            Phrase("the certificate {name} is not for a pass type", ["name": .text(name)])
        case .unusableCertificate(let name):
            Phrase(
                "the certificate {name} or its key cannot be used for TLS", ["name": .text(name)])
        case .badAuthorities:
            Phrase("--apns-root is not a certificate in PEM")
        }
    }
}
