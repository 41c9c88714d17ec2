internal import ArgumentParser
internal import Cryptography
internal import Foundation
internal import Glibc
internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// The options for a certificate and its key.
struct IdentityArguments: ParsableArguments {
    @Option(
        name: .customLong("p12"),
        help: ArgumentHelp(
            "Sign with the certificate and key of this PKCS #12 file.", valueName: "file"),
        completion: .file(extensions: ["p12", "pfx"]))
    var pkcs12: String?

    @Option(
        help: ArgumentHelp(
            "Sign with this Pass Type ID certificate (PEM or DER).", valueName: "file"),
        completion: .file(extensions: ["pem", "cer", "crt", "der"]))
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "With --certificate, the key: a file (PEM or DER), 'agent' for ssh-agent, or a PKCS #11 "
                + "URI (pkcs11:token=Issuer;object=pass); default: the file of the certificate.",
            valueName: "key"),
        completion: .file(extensions: ["pem", "key"]))
    var key: String?

    @Option(
        name: .customLong("intermediate"),
        help: ArgumentHelp(
            "A file with certificates (PEM or DER) among which the issuer may be; repeatable. "
                + "Apple's current one is built in.",
            valueName: "file"),
        completion: .file(extensions: ["pem", "cer", "crt", "der"]))
    var intermediates: [String] = []

    @OptionGroup var password: PasswordArguments

    func validate() throws {
        guard pkcs12 == nil || certificate == nil else {
            throw ValidationError("use one of --p12 and --certificate")
        }
        guard key == nil || certificate != nil else {
            throw ValidationError("--key needs --certificate")
        }
        for file in [pkcs12, certificate, key].compactMap(\.self) + intermediates
        where file.isEmpty {
            throw ValidationError("the path is empty")
        }
    }

    /// The certificate and key of the options; otherwise those of the signing folder for a pass
    /// type.
    ///
    /// - Parameter anchors: The issuer may be among them.
    func identity(
        for passType: String, trusting anchors: TrustAnchors, in shell: Shell
    ) throws(Failure) -> SigningIdentity {
        var issuers = anchors.all.compactMap(\.pem).map { Array($0.utf8) }
        for file in intermediates { issuers.append(try shell.session.contents(of: file)) }
        if let pkcs12 {
            let file = try shell.session.contents(of: pkcs12)
            return try identity(pkcs12, in: shell) { password throws(SigningIdentityError) in
                try SigningIdentity(pkcs12: file, secret: password, issuers: issuers)
            }
        }
        if let certificate { return try identity(certificate, issuers, in: shell) }
        do throws(SigningFolderError) {
            return try shell.session.signingFolder.identity(for: passType, issuers: issuers)
        } catch {
            throw Failure(error, in: shell.session)
        }
    }

    private func identity(
        _ certificate: String, _ issuers: [[UInt8]], in shell: Shell
    ) throws(Failure) -> SigningIdentity {
        // The file may contain the key as well.
        let file = try secret(in: certificate, shell).certificates()
        let key = key ?? certificate
        if key == "agent" {
            let socket = shell.environment["SSH_AUTH_SOCK"] ?? ""
            return try identity(certificate, in: shell) { _ throws(SigningIdentityError) in
                try SigningIdentity(certificate: file, agent: socket, issuers: issuers)
            }
        }
        if key.lowercased().hasPrefix("pkcs11:") {
            // A URI may contain the PIN, which is not to be shown.
            let name = key.lowercased().contains("pin") ? "--key" : key
            return try identity(name, in: shell) { pin throws(SigningIdentityError) in
                try SigningIdentity(certificate: file, token: key, secret: pin, issuers: issuers)
            }
        }
        let secret = try secret(in: key, shell)
        return try identity(key, in: shell) { password throws(SigningIdentityError) in
            try SigningIdentity(
                certificate: file, key: secret, secret: password, issuers: issuers)
        }
    }

    /// Asks for the password if one is needed and none was given.
    private func identity(
        _ name: String, in shell: Shell,
        _ open: (borrowing Secret?) throws(SigningIdentityError) -> SigningIdentity
    ) throws(Failure) -> SigningIdentity {
        let given = try password.given(in: shell)
        do throws(SigningIdentityError) {
            do throws(SigningIdentityError) {
                return try open(given)
            } catch {
                guard error == .passwordNeeded, !password.isGiven else { throw error }
            }
            let question = localized("Password of {name}", ["name": name.escaped])
            let asked = PasswordPrompt.password(question)
            switch asked {
            case .some: return try open(asked)
            case nil: throw .passwordNeeded
            }
        } catch {
            throw .unreadable(name, reason: error.phrase)
        }
    }

    /// A file with a key, which is not copied in memory.
    private func secret(in file: String, _ shell: Shell) throws(Failure) -> Secret {
        do throws(FileError) {
            let opened = try open(shell.session.path(file), O_RDONLY)
            defer { opened.close() }
            return try Secret(contentsOf: opened, limit: 1 << 20)
        } catch {
            throw .unreadable(file, reason: error.phrase)
        }
    }
}

extension Session {
    /// The keys and certificates with which passes are signed.
    var signingFolder: SigningFolder {
        SigningFolder(URL(fileURLWithPath: environment.signingFolder, isDirectory: true))
    }
}

extension Failure {
    init(_ error: SigningFolderError, in session: Session) {
        let folder = session.environment.signingFolder
        self =
            switch error {
            case .unwritable, .notGenerated: .unwritable(folder, reason: error.phrase)
            case .badName, .badEmailAddress, .badCountry: .usage(error.phrase)
            default: .unreadable(folder, reason: error.phrase)
            }
    }
}
