internal import ArgumentParser
internal import Cryptography
internal import Foundation
internal import Localization
internal import MailSource
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import Platform

/// `passconduit certificate`: manages the certificates for signing.
struct Certificate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Get and manage the certificates with which you sign passes.",
        discussion: """
            Apple issues a certificate for each Pass Type ID to members of its developer \
            programme:

            1. `passconduit certificate request` creates a key and request.csr.
            2. At developer.apple.com/account, open Certificates, Identifiers & Profiles. Under \
            Identifiers, register a Pass Type ID such as pass.com.example.ticket, or open one.
            3. Choose Create Certificate, upload request.csr, and download pass.cer.
            4. `passconduit certificate import pass.cer` joins it with the key.
            5. `passconduit sign` now signs passes of this type.

            Keys and certificates are in $XDG_CONFIG_HOME/passconduit/signing \
            (~/.config/passconduit/signing), which only you can read. The certificate is valid for \
            about a year; renew it with a new request.

            EXAMPLES
              passconduit certificate request --name Example --email me@example.com
              passconduit certificate import pass.cer
              passconduit certificate list
              passconduit certificate export pass.com.example.ticket --p12 pass.p12
            """,
        subcommands: [Request.self, Import.self, List.self, Export.self])

    struct Request: Verb {
        static let configuration = CommandConfiguration(
            commandName: "request",
            abstract: "Create a key and a request for its certificate.",
            discussion: """
                The key has RSA with 2048 bits, stays on this computer, and can be read only by \
                you. The request (RFC 2986) is for the developer portal.

                EXAMPLES
                  passconduit certificate request --name Example --email me@example.com
                  passconduit certificate request --name Me --email me@example.com -o me.csr
                """)

        @Option(help: ArgumentHelp("Your name, or that of your organization.", valueName: "name"))
        var name: String

        @Option(help: ArgumentHelp("Your mail address.", valueName: "address"))
        var email: String

        @Option(help: ArgumentHelp("Your country, in two letters.", valueName: "code"))
        var country: String?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Write the request to this file.", valueName: "file"),
            completion: .file(extensions: ["csr", "certSigningRequest"]))
        var output = "request.csr"

        @Flag(help: "Overwrite an existing file.")
        var force = false

        func validate() throws {
            if name.isEmpty { throw ValidationError("--name needs a name") }
            if name.unicodeScalars.contains(where: isControl) {
                throw ValidationError("--name needs a name in one line")
            }
            if !isMailAddress(email) { throw ValidationError("--email needs a mail address") }
            if ["", "-"].contains(output) {
                throw ValidationError("--output needs the name of a file")
            }
        }

        func run(in shell: Shell) async throws -> ExitCode {
            CurrentProcess.forbidDumps()
            // Check this before a key is created.
            if !force, shell.session.path(output).status(followsLinks: false) != nil {
                throw Failure.unwritable(
                    output, reason: Phrase("already exists: --force overwrites it"))
            }
            let made: (request: [UInt8], keyFile: String)
            do throws(SigningFolderError) {
                made = try shell.session.signingFolder.request(
                    name: name, emailAddress: email, country: country?.uppercased())
            } catch {
                throw Failure(error, in: shell.session)
            }
            do throws(Failure) {
                try shell.session.write(made.request, to: output, overwriting: force)
            } catch {
                // Without its request, the key never gets a certificate.
                try? shell.session.signingFolder.discardKey(made.keyFile)
                throw error
            }
            try shell.console.print(
                localized(
                    "{name}: upload it at developer.apple.com/account, then import the certificate",
                    ["name": output]
                ).escaped)
            return .done
        }
    }

    struct Import: Verb {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Store a certificate that Apple issued, and join it with its key.",
            discussion: """
                A certificate (PEM or DER) needs the key of its request, which `certificate \
                request` left on this computer. A PKCS #12 file (.p12), as Keychain Access exports \
                it, contains the key.

                EXAMPLES
                  passconduit certificate import pass.cer
                  passconduit certificate import pass.cer --type pass.com.example.ticket
                  passconduit certificate import pass.p12 --password-file password
                """)

        @Argument(
            help: ArgumentHelp("A certificate or PKCS #12 file.", valueName: "file"),
            completion: .file(extensions: ["cer", "pem", "crt", "der", "p12", "pfx"]))
        var file: String

        @Option(
            help: ArgumentHelp("Refuse a certificate for another pass type.", valueName: "id"))
        var type: String?

        @Option(help: ArgumentHelp("Refuse a certificate of another team.", valueName: "id"))
        var team: String?

        @OptionGroup var password: PasswordArguments

        func validate() throws {
            if file.isEmpty { throw ValidationError("the path is empty") }
        }

        func run(in shell: Shell) async throws -> ExitCode {
            CurrentProcess.forbidDumps()
            let bytes = try shell.session.contents(of: file)
            let entry: SigningFolder.Entry
            do throws(SigningFolderError) {
                entry = try add(bytes, in: shell)
            } catch {
                switch error {
                case .unreadable, .unwritable, .notGenerated:
                    throw Failure(error, in: shell.session)
                default: throw Failure.unreadable(file, reason: error.phrase)
                }
            }
            try shell.console.print(certificateLine(entry))
            let anchors = try shell.session.keptAnchors()
            if let authority = entry.untrustedAuthority(trusting: anchors) {
                shell.console.problem(
                    localized(
                        "{name}: the authority of the certificate, '{issuer}', is not trusted: sign with --trust-root, or add the authority with `passconduit trust add`",
                        ["name": file, "issuer": authority]
                    ).escaped)
            }
            return .done
        }

        private func add(
            _ bytes: [UInt8], in shell: Shell
        ) throws(SigningFolderError) -> SigningFolder.Entry {
            let folder = shell.session.signingFolder
            do throws(SigningFolderError) {
                return try folder.add(certificate: bytes, passType: type, team: team)
            } catch {
                guard error == .notACertificate else { throw error }
            }
            let given: Secret?
            do throws(Failure) {
                given = try password.given(in: shell)
            } catch {
                shell.console.problem(error.phrase.localized.escaped)
                throw .identity(.passwordNeeded)
            }
            do throws(SigningFolderError) {
                return try folder.add(
                    pkcs12: bytes, password: given, passType: type, team: team)
            } catch {
                guard error == .identity(.passwordNeeded), !password.isGiven else {
                    throw error == .identity(.notPKCS12) ? .notACertificate : error
                }
            }
            let question = localized("Password of {name}", ["name": file.escaped])
            let asked = PasswordPrompt.password(question)
            switch asked {
            case .some:
                return try folder.add(pkcs12: bytes, password: asked, passType: type, team: team)
            case nil: throw .identity(.passwordNeeded)
            }
        }
    }

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the certificates with which you can sign.",
            discussion: """
                Keys whose certificate was requested but not imported yet are listed as well.

                Warns 30 days before a certificate ends. Passes that were signed before stay \
                valid: Wallet judges them at their signing time.

                EXAMPLES
                  passconduit certificate list
                  passconduit certificate list --json
                """)

        @OptionGroup var output: OutputArguments

        func run(in shell: Shell) async throws -> ExitCode {
            let contents:
                (
                    certificates: [SigningFolder.Entry], pending: [SigningFolder.PendingKey]
                )
            do throws(SigningFolderError) {
                contents = try shell.session.signingFolder.contents()
            } catch {
                throw Failure(error, in: shell.session)
            }
            if contents.certificates.isEmpty, contents.pending.isEmpty {
                shell.hint(
                    localized(
                        "there are no certificates (get one with `passconduit certificate request`)"
                    ), json: output.json)
            }
            for entry in contents.certificates {
                try shell.console.print(
                    output.json
                        ? jsonLine(CertificateRecord(entry), on: shell.console.output)
                        : certificateLine(entry))
                let isRenewed = contents.certificates.contains {
                    $0.hasKey && $0.passTypeIdentifier == entry.passTypeIdentifier
                        && $0.notAfter > entry.notAfter
                }
                if !isRenewed, let warning = warning(about: entry) {
                    shell.console.problem(warning)
                }
            }
            for key in contents.pending {
                try shell.console.print(
                    output.json
                        ? jsonLine(PendingKeyRecord(key), on: shell.console.output)
                        : localized("{name}  no certificate yet", ["name": key.file]).escaped)
            }
            return .done
        }

        private func warning(about entry: SigningFolder.Entry) -> String? {
            guard entry.expires(withinDays: 30) else { return nil }
            let name = entry.passTypeIdentifier ?? entry.name
            let date = Phrase("{date}", ["date": .day(entry.notAfter)]).localized
            return
                (entry.notAfter < .now
                ? localized(
                    "{name}: the certificate expired on {date}", ["name": name, "date": date])
                : localized(
                    "{name}: the certificate expires on {date}; request a new one",
                    ["name": name, "date": date])).escaped
        }
    }

    struct Export: Verb {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write a certificate and its key to a PKCS #12 file.",
            discussion: """
                For another computer or program. The file is encrypted (AES-256) with a password, \
                which is asked for twice, or read from --password-file or --password-fd.

                EXAMPLES
                  passconduit certificate export pass.com.example.ticket --p12 pass.p12
                """)

        @Argument(
            help: ArgumentHelp(
                "A pass type, or the beginning of the fingerprint of a certificate.",
                valueName: "id"))
        var id: String

        @Option(
            name: .customLong("p12"),
            help: ArgumentHelp("The file to write.", valueName: "file"),
            completion: .file(extensions: ["p12"]))
        var file: String

        @Flag(help: "Overwrite an existing file.")
        var force = false

        @OptionGroup var password: PasswordArguments

        func validate() throws {
            if ["", "-"].contains(file) {
                throw ValidationError("--p12 needs the name of a file")
            }
        }

        func run(in shell: Shell) async throws -> ExitCode {
            CurrentProcess.forbidDumps()
            let secret = try newPassword(in: shell)
            let bytes: [UInt8]
            do throws(SigningFolderError) {
                bytes = try shell.session.signingFolder.pkcs12(of: id, password: secret)
            } catch {
                throw Failure(error, in: shell.session)
            }
            try shell.session.write(bytes, to: file, overwriting: force, mode: 0o600)
            return .done
        }

        private func newPassword(in shell: Shell) throws -> Secret {
            let given = try password.given(in: shell)
            if let given = consume given { return try checked(given) }
            let question = localized("Password of {name}", ["name": file.escaped])
            let first = PasswordPrompt.password(question)
            guard let first = consume first else {
                throw Failure.usage(SigningIdentityError.passwordNeeded.phrase)
            }
            let second = PasswordPrompt.password(localized("The same password again"))
            guard let second = consume second, first.isEqual(to: second) else {
                throw Failure.usage(Phrase("the passwords differ"))
            }
            return try checked(first)
        }

        /// A password that protects the key.
        private func checked(_ password: consuming Secret) throws(Failure) -> Secret {
            guard password.count > 0 else {
                throw .usage(SigningIdentityError.passwordNeeded.phrase)
            }
            return password
        }
    }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}

/// Whether the text may be an address (RFC 5322, 3.4.1), without a name or others.
private func isMailAddress(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let isOneWord = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"<>,;".utf8.contains($0) }
    return parts.count > 1 && isOneWord && parts.first?.isEmpty == false
        && parts.last?.isEmpty == false
}

/// A line such as `pass.com.example.ticket  A1B2C3D4E5  until Jan 1, 2027  SHA-256 0a1b...`.
private func certificateLine(_ entry: SigningFolder.Entry) -> String {
    let until = Phrase("until {date}", ["date": .day(entry.notAfter)]).localized
    var parts = [entry.passTypeIdentifier, entry.teamIdentifier].compactMap(\.self)
    if parts.isEmpty { parts = [entry.name] }
    parts += [until, "SHA-256 \(entry.fingerprint)"]
    if !entry.hasKey { parts.append(localized("without its key")) }
    return parts.joined(separator: "  ").escaped
}
