internal import PassImport
internal import PassModel
package import PassUpdates
internal import PassVerification

extension UpdateProblem: Worded {
    package var phrase: Phrase {
        switch self {
        case .fetch(let failure): failure.phrase
        case .insecure:
            Phrase(
                "its web service uses http, which others on the network can read (--allow-http allows it)"
            )
        case .noWebService: Phrase("the pass names no web service for updates")
        case .hostBusy: Phrase("not checked: the host asked to be contacted later")
        case .hostSilent:
            Phrase(
                "not checked: the host failed to answer several times")
        case .notTrusted(let verdict): verdict.refusalToAsk
        case .unreadable(let error): error.phrase
        case .unreadableAnswer(let kind): kind.phrase
        case .notOnePass: Phrase("the server sent a file that contains passes instead of a pass")
        case .anotherPass(let identity):
            Phrase(
                "the server sent a different pass: {name}", ["name": .text(identity.description)])
        case .older(let signedAt, let current):
            Phrase(
                "the server sent an older pass: it was signed at {date}, the one in the library at {start}",
                [
                    "date": .moment(signedAt), "start": .moment(current),
                ])
        case .rejected(let verdict, let findings, let type):
            verdict.rejection(reasons(findings, type))
        }
    }

    private func reasons(_ findings: [Finding], _ type: FileType?) -> Phrase {
        let reasons = Phrase.joined(
            findings.map(\.phrase), separator: "; ")
        guard let type else { return reasons }
        return Phrase(
            "{reason} (it looks like {type})",
            ["reason": .phrase(reasons), "type": .phrase(type.phrase)])
    }
}

extension Verdict {
    /// Why no update is requested for a pass with this verdict.
    fileprivate var refusalToAsk: Phrase {
        switch self {
        case .malformed: Phrase("the pass is malformed, and only trusted passes are updated")
        case .unsigned: Phrase("the pass is unsigned, and only trusted passes are updated")
        case .tampered: Phrase("the pass is tampered, and only trusted passes are updated")
        case .untrusted, .trusted:
            Phrase("the pass is untrusted, and only trusted passes are updated")
        }
    }

    /// Why a received pass with this verdict does not replace a trusted one.
    fileprivate func rejection(_ reasons: Phrase) -> Phrase {
        let reason = ["reason": Phrase.Value.phrase(reasons)]
        return switch self {
        case .malformed: Phrase("the server sent something other than a pass: {reason}", reason)
        case .unsigned: Phrase("the server sent a pass that is unsigned: {reason}", reason)
        case .tampered: Phrase("the server sent a pass that is tampered: {reason}", reason)
        case .untrusted, .trusted:
            Phrase("the server sent a pass that is untrusted: {reason}", reason)
        }
    }
}

extension UpdateRunEnded: Worded {
    package var phrase: Phrase { Phrase("passconduit-fetch has ended") }
}
