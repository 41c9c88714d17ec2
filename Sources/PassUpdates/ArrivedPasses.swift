import Fetching
import Foundation
import MailSource
import PassImport
import PassModel
import PassStore
import PassVerification

/// The body of a response to a request for a pass.
struct ArrivedBody {
    let update: PassUpdate
    let response: FetchResponse
    let file: Path

    /// The web service, and the present time.
    var origin: Origin { Origin(source: update.service.place, date: Date()) }
}

/// The verdict on a body, before it enters the library.
enum ArrivedPass {
    /// A newer version of the pass.
    case newer(Verification, VerifiedPass)
    /// The current version.
    case same(StoredPass)
    /// A better copy of the current version.
    case copy(StoredPass, VerifiedPass)
    /// Not accepted; the library is unchanged.
    case refused(UpdateProblem)
    /// The pass was removed in the meantime.
    case unwanted
}

extension PassLibrary {
    /// Verifies bodies in the same way as files that the user names as passes.
    func judge(
        _ bodies: [ArrivedBody], _ options: UpdateOptions
    ) async throws -> [ArrivedPass] {
        var imports = ImportOptions()
        imports.verifier = options.verifier
        imports.spool = options.spool
        imports.jobs = options.jobs
        imports.takesFilesForPasses = true
        imports.keepsPasses = true
        var found: [String: [FoundPass]] = [:]
        var problems: [String: Problem] = [:]
        _ = try await PassImport.run(bodies.map { .path($0.file) }, imports) { event in
            switch event {
            case .pass(let pass): found[pass.source, default: []].append(pass)
            case .problem(let problem): problems[problem.source] = problem
            case .link: break
            }
        }
        return try bodies.map { body in
            let path = body.file.description
            if let problem = problems[path] {
                return .refused(.unreadableAnswer(problem.kind))
            }
            guard let pass = found[path]?.first, found[path]?.count == 1, pass.part.isEmpty else {
                return .refused(.notOnePass)
            }
            return try judge(pass, for: body.update.stored.identity)
        }
    }

    /// Whether a pass may replace the current version: trusted, the same identity, and not older.
    private func judge(_ found: FoundPass, for identity: PassIdentity) throws -> ArrivedPass {
        let verification = found.verification
        guard verification.verdict == .trusted, let verified = verification.verified else {
            return .refused(
                .rejected(verification.verdict, verification.reasons, type: found.otherType))
        }
        guard verified.pass.identity == identity else {
            return .refused(.anotherPass(verified.pass.identity))
        }
        // Read the current version again: another process may have updated it.
        guard
            let stored = try pass(
                withPassTypeIdentifier: identity.passTypeIdentifier,
                serialNumber: identity.serialNumber)
        else { return .unwanted }
        let incoming = IncomingPass(pass: verified, origin: Origin(source: found.source))
        let prospect = try prospect(of: incoming)
        if prospect.isBetterCopy, prospect.known?.id == stored.current.id {
            return .copy(stored, verified)
        }
        // VIOLATIONS.md, H12: the pass is signed again for each request.
        if let manifest = verified.manifestSHA256, manifest == stored.current.manifestSHA256,
            stored.current.verdict == .trusted
        {
            return .same(stored)
        }
        if let front = stored.current.signedAt, let signedAt = verified.signedAt, signedAt < front {
            return .refused(.older(signedAt: signedAt, current: front))
        }
        return prospect.known == nil ? .newer(verification, verified) : .same(stored)
    }
}
