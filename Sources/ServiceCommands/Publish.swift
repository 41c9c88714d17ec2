internal import ArgumentParser
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassVerification

/// `passconduit-serve publish`: verifies passes and publishes them.
struct Publish: ServiceVerb {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish passes, or new versions of them.",
        discussion: """
            Verifies each pass as `passconduit verify` does, and publishes it if it is trusted and \
            has an authenticationToken. A pass with the same type and serial number is replaced; \
            devices that ask for changes then learn of it.

            EXAMPLES
              passconduit-serve publish --store /srv/passes *.pkpass
              passconduit-serve publish --store /srv/passes --trust-root my-ca.pem ticket.pkpass
            """)

    @Argument(
        help: ArgumentHelp("Pass files.", valueName: "file"),
        completion: .file(extensions: ["pkpass"]))
    var files: [String]

    @OptionGroup var store: StoreArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        if files.contains("") { throw ValidationError("'' is no path") }
    }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode {
        let verifier = try trust.verifier(in: shell.session)
        let store = try await self.store.open(creating: true)
        var code = PassSession.ExitCode.done
        for file in files {
            let bytes: [UInt8]
            do throws(Failure) {
                bytes = try shell.session.contents(of: file, limit: verifier.limits.archive)
            } catch {
                shell.problem(error.phrase.localized.escaped)
                code = code.joined(with: error.exitCode)
                continue
            }
            let verification = verifier.verify(bytes)
            guard verification.verdict == .trusted, let pass = verification.verified else {
                refuse(file, verification, in: shell)
                code = code.joined(with: .notTrusted)
                continue
            }
            let publication: Publication
            do throws(ServiceError) {
                publication = try await store.publish(pass)
            } catch {
                guard case .noToken = error else { throw error }
                shell.problem("\(file): \(error.phrase.localized)".escaped)
                code = code.joined(with: .notTrusted)
                continue
            }
            try shell.print(
                publication, of: pass.pass, sha256: pass.sha256, from: file,
                asJSON: self.store.json)
        }
        return code
    }

    private func refuse(_ file: String, _ verification: Verification, in shell: ServiceShell) {
        let words = [verification.verdict.phrase] + verification.reasons.map(\.phrase)
        shell.problem("\(file): \(words.map(\.localized).joined(separator: " - "))".escaped)
    }
}
