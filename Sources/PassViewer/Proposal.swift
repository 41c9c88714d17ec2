internal import Localization
internal import PassDrawing
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// An opened pass, with all that the user needs to decide whether to add it.
struct Proposal: Sendable {
    let found: FoundPass
    /// Nil if the pass can never be added, or if the library cannot be read.
    let prospect: Prospect?
    /// How it differs from the pass that it would replace.
    let changes: [String]
    /// Nil for a pass without readable content.
    let face: PassFace?
    /// Why the library could not be read.
    let problem: String?

    init(_ found: FoundPass, in session: WindowSession) {
        self.found = found
        var problem: String?
        do {
            prospect = try session.prospect(of: found)
        } catch {
            prospect = nil
            problem = error.advisedPhrase.localized.escaped
        }
        self.problem = problem
        changes = session.changes(in: found, prospect)
        face = found.verification.pass.map { pass in
            session.face(of: pass, found.verification.verified?.octets)
        }
    }

    var verdict: Verdict { found.verification.verdict }

    /// The action that is offered for the pass.
    enum Choice: Equatable {
        case add
        /// Add after a warning.
        case addAnyway
        case show(PassIdentity)
        case nothing
    }

    var choice: Choice {
        guard let pass = found.verification.verified else { return .nothing }
        if prospect?.admission == .unchanged { return .show(pass.pass.identity) }
        return pass.verdict == .trusted ? .add : .addAnyway
    }
}
