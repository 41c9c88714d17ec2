internal import Foundation
internal import Glibc
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// A run of `publish`, which publishes files and folders one after the other. It reports passes
/// that cannot be published, and continues.
struct PublishRun {
    private let store: ServiceStore
    private let verifier: PassVerifier
    private let keys: SigningKeys
    private let isJSON: Bool
    private let shell: ServiceShell
    private var signers: [String: PassSigner] = [:]
    private var tally = PublicationTally()

    init(
        _ store: ServiceStore, _ verifier: PassVerifier, isJSON: Bool, _ shell: ServiceShell
    ) {
        self.store = store
        self.verifier = verifier
        keys = SigningKeys(shell.session, verifier: verifier)
        self.isJSON = isJSON
        self.shell = shell
    }

    /// Publishes a pass file, the passes of a bundle or folder, or the folder of a pass.
    mutating func publish(_ argument: String) async throws {
        guard kind(of: argument, followingLinks: true) == S_IFDIR else {
            return try await publishFile(argument)
        }
        if kind(of: "\(argument)/pass.json") == nil {
            try await publishFolder(argument)
        } else {
            try await publishSource(argument)
        }
    }

    /// Prints the totals if there was more than one pass.
    func finish() throws -> PassSession.ExitCode {
        if tally.count > 1 { try shell.print(tally, asJSON: isJSON) }
        return tally.code
    }

    private mutating func publishFolder(_ folder: String) async throws {
        let names: [String]
        do throws(FileError) {
            names = try FileDescriptor.names(in: folder)
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch {
            return fail(folder, error.phrase, .unreadable)
        }
        let prefix = folder.hasSuffix("/") ? folder : "\(folder)/"
        let isPass = { (name: String) in
            [".pkpass", ".pkpasses"].contains { name.lowercased().hasSuffix($0) }
        }
        let visible = names.filter { !$0.hasPrefix(".") }
        let passes = visible.filter(isPass)
        for name in visible where !isPass(name) {
            let path = "\(prefix)\(name)"
            guard kind(of: path) == S_IFDIR else { continue }
            shell.warn(
                Phrase("a folder in a folder is not published: name it as well"), about: path)
        }
        guard !passes.isEmpty else {
            return fail(folder, Phrase("there is no pass in this folder"), .nothingFound)
        }
        for name in passes {
            let path = "\(prefix)\(name)"
            switch kind(of: path) {
            case S_IFREG: try await publishFile(path)
            case S_IFLNK: fail(path, ImageFault.link.phrase, .unreadable)
            default: fail(path, ImageFault.notAFile.phrase, .unreadable)
            }
        }
    }

    private mutating func publishFile(_ file: String) async throws {
        let bytes: [UInt8]
        do throws(Failure) {
            let isBundle = file.lowercased().hasSuffix(".pkpasses")
            bytes = try shell.session.contents(
                of: file, limit: isBundle ? PassBundle.sizeLimit : verifier.limits.archive)
        } catch {
            return fail(error)
        }
        guard let bundle = PassBundle(bytes, limits: verifier.limits) else {
            return try await publish(bytes, named: file)
        }
        for (name, bytes) in bundle.passes {
            try await publish(bytes, named: "\(file)!\(name)")
        }
    }

    private mutating func publish(_ bytes: [UInt8], named name: String) async throws {
        let packed = PackedPass(bytes, verifier: verifier)
        let verification = packed.verification
        guard verification.verdict == .trusted, let pass = verification.verified else {
            let words = [verification.verdict.phrase] + verification.reasons.map(\.phrase)
            return fail(name, .joined(words, separator: " - "), .notTrusted)
        }
        let findings = PassLint(packed).findings.filter {
            ["webServiceURL", "authenticationToken"].contains($0.keyPath)
        }
        try await publish(pass, named: name, warningOf: findings)
    }

    private mutating func publish(
        _ pass: VerifiedPass, named name: String, warningOf findings: [LintFinding]
    ) async throws {
        let identity = pass.pass.identity
        let file: FilePublication
        do throws(ServiceError) {
            file = try await store.publishFile(pass)
        } catch {
            guard case .noToken = error else { throw error }
            return fail(name, error.phrase, .notTrusted)
        }
        for finding in findings { shell.warn(finding.sentence, about: name) }
        if file.hasOtherToken { shell.warnOfOtherToken(about: name) }
        if file.wasVoided {
            shell.warn(Phrase("the pass was void, and this version is not"), about: name)
        }
        tally.add(file.publication)
        try shell.print(
            file.publication, of: identity, key: file.downloadKey, sha256: pass.sha256, from: name,
            asJSON: isJSON)
        shell.show(tally)
    }

    /// Signs the folder of a pass and publishes the result, unless the published version has the
    /// same files.
    private mutating func publishSource(_ folder: String) async throws {
        let contents: PassFolder
        let signer: PassSigner
        do throws(Failure) {
            contents = try PassFolder(argument: folder)
            if let template = try? PassTemplate(contents), !template.varying.isEmpty {
                throw .unreadable(
                    folder,
                    reason: Phrase("this is a template: --data names the file with its rows"))
            }
            signer = try self.signer(for: contents)
        } catch {
            return fail(error)
        }
        let lint = PassLint(contents, certificates: signer.identity.certificates)
        if let identity = lint.identity, let (current, bytes) = try await signedFile(of: identity) {
            let published = PackedPass(bytes, verifier: verifier)
            if published.folder.files == contents.files {
                tally.add(.unchanged)
                return try shell.print(
                    .unchanged, of: identity, key: current.downloadKey, sha256: current.sha256,
                    from: folder, asJSON: isJSON)
            }
        }
        let mistakes = lint.findings.filter { $0.severity == .error }
        guard mistakes.isEmpty else {
            for finding in lint.findings { shell.report(finding, about: folder) }
            return tally.fail(.notTrusted)
        }
        let signed: SignedPass
        do throws(SigningError) {
            signed = try signer.sign(contents)
        } catch {
            return fail(folder, error.phrase, .notTrusted)
        }
        // A signer returns only trusted passes.
        guard let pass = signed.verification.verified else { return tally.fail(.notTrusted) }
        try await publish(pass, named: folder, warningOf: lint.findings)
    }

    /// The published file of a pass; nil if the pass is not published, or not signed yet: signing
    /// it would create a new file.
    private func signedFile(
        of identity: PassIdentity
    ) async throws(ServiceError) -> (pass: PublishedPass, bytes: [UInt8])? {
        do throws(ServiceError) {
            return try await store.file(of: identity)
        } catch {
            guard case .notSigned = error else { throw error }
            return nil
        }
    }

    private mutating func signer(for contents: PassFolder) throws(Failure) -> PassSigner {
        // No certificate is found for an empty pass type.
        let passType = (try? Pass(contents))?.passTypeIdentifier ?? ""
        if let signer = signers[passType] { return signer }
        let signer = try keys.signer(for: passType)
        signers[passType] = signer
        return signer
    }

    private mutating func fail(_ failure: Failure) {
        shell.problem(failure.phrase.localized.escaped)
        tally.fail(failure.exitCode)
    }

    private mutating func fail(_ name: String, _ reason: Phrase, _ code: PassSession.ExitCode) {
        shell.problem("\(name): \(reason.localized)".escaped)
        tally.fail(code)
    }
}

/// The S_IFMT bits of a file; nil if it does not exist.
private func kind(of path: String, followingLinks: Bool = false) -> mode_t? {
    var status = stat()
    let answer = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    return answer == 0 ? status.st_mode & S_IFMT : nil
}
