internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassSigning
internal import PassVerification

/// Changes a published pass, signs it again and publishes it as a new version: `update` and `void`.
struct Reissue {
    private let identity: PassIdentity
    private let store: ServiceStore
    private let verifier: PassVerifier
    private let isJSON: Bool
    private let shell: ServiceShell

    init(
        type: String, serial: String, _ arguments: StoreArguments, _ trust: TrustArguments,
        in shell: ServiceShell
    ) async throws {
        identity = PassIdentity(passTypeIdentifier: type, serialNumber: serial)
        verifier = try trust.verifier(in: shell.session)
        store = try await arguments.open(creating: false)
        isJSON = arguments.json
        self.shell = shell
    }

    /// - Parameters:
    ///   - changeRow: Changes the pass if it is made of a row. Returns nil if it was published as a
    ///     file.
    ///   - change: Changes the files of the pass. Returns the same folder if there is nothing to
    ///     change.
    func run(
        row changeRow: (ServiceStore, PassIdentity) async throws(ServiceError) -> RowPublication?,
        files change: (PassFolder) throws -> PassFolder
    ) async throws -> PassSession.ExitCode {
        // Retry if another program publishes a version meanwhile, as a file or as a row.
        for _ in 0..<100 {
            let row: RowPublication?
            do throws(ServiceError) {
                row = try await changeRow(store, identity)
            } catch {
                guard case .refused(_, let refusal) = error else { throw error }
                shell.problem("\(identity): \(refusal.phrase.localized)".escaped)
                return .unreadable
            }
            if let row { return try report(row) }
            do {
                if let code = try await reissue(change) { return code }
            } catch ServiceError.notSigned {
                continue
            }
        }
        throw ServiceError.locked(store.place)
    }

    private func report(_ row: RowPublication) throws -> PassSession.ExitCode {
        for finding in row.warnings { shell.report(finding, about: identity.description) }
        try shell.print(
            row.publication, of: identity, key: row.downloadKey, sha256: nil, from: nil,
            asJSON: isJSON)
        return .done
    }

    /// Returns nil if another version was published meanwhile.
    private func reissue(
        _ change: (PassFolder) throws -> PassFolder
    ) async throws -> PassSession.ExitCode? {
        guard let (current, bytes) = try await store.file(of: identity) else {
            throw Failure.noPass(identity)
        }
        let published = PackedPass(bytes, verifier: verifier)
        let folder = try change(published.folder)
        if folder == published.folder {
            try shell.print(
                .unchanged, of: identity, key: current.downloadKey, sha256: current.sha256,
                from: nil, asJSON: isJSON)
            return .done
        }
        guard isFlawless(folder, since: published) else { return .unreadable }
        let signer = try SigningKeys(shell.session, verifier: verifier)
            .signer(for: identity.passTypeIdentifier)
        let signed: SignedPass
        do throws(SigningError) {
            signed = try signer.sign(folder)
        } catch {
            shell.problem("\(identity): \(error.phrase.localized)".escaped)
            return .notTrusted
        }
        // A signer returns only trusted passes.
        guard let pass = signed.verification.verified else { return .notTrusted }
        guard let file = try await store.publishFile(pass, replacing: current.tag) else {
            return nil
        }
        try shell.print(
            file.publication, of: identity, key: current.downloadKey, sha256: pass.sha256,
            from: nil,
            asJSON: isJSON)
        return .done
    }

    /// Reports the findings that are new in this version: mistakes, and values that change without
    /// a message on devices.
    ///
    /// - Returns: False if there is a new mistake.
    private func isFlawless(_ folder: PassFolder, since published: PackedPass) -> Bool {
        let known = Set(PassLint(published.folder).findings)
        let findings = PassLint(folder, previous: published.verification.pass).findings
            .filter { !known.contains($0) }
        for finding in findings { shell.report(finding, about: identity.description) }
        return !findings.contains { $0.severity == .error }
    }
}
