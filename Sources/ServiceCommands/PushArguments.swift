internal import ArgumentParser
internal import Cryptography
internal import Foundation
internal import Localization
internal import Logging
internal import PassPresentation
internal import PassService
internal import PassSession
internal import PassSigning
internal import PassVerification

/// The options for pushes to devices.
struct PushArguments: ParsableArguments {
    @Flag(
        help: """
            Push to devices when passes change, with the certificates and keys of `passconduit \
            certificate`.
            """)
    var push = false

    @Option(
        name: .customLong("push-certificate"),
        help: ArgumentHelp(
            "Push with the certificate of a pass type and its key in this file (PEM or PKCS #12); "
                + "repeatable.",
            valueName: "file"),
        completion: .file(extensions: ["pem", "p12", "pfx"]))
    var certificates: [String] = []

    @Option(
        name: .customLong("push-password-file"),
        help: ArgumentHelp(
            "Read the password of these files from the first line of this one.",
            valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(
        name: .customLong("push-key"),
        help: ArgumentHelp(
            "Push for all pass types of your team with this key of the developer portal (.p8).",
            valueName: "file"),
        completion: .file(extensions: ["p8"]))
    var key: String?

    @Option(
        name: .customLong("push-key-id"),
        help: ArgumentHelp("The identifier of the key.", valueName: "identifier"))
    var keyIdentifier: String?

    @Option(
        name: .customLong("push-team"),
        help: ArgumentHelp("The identifier of your team.", valueName: "identifier"))
    var team: String?

    @Option(
        name: .customLong("apns"),
        help: ArgumentHelp(
            "Push to this server instead of Apple's, for tests.", valueName: "host:port"))
    var server: String?

    @Option(
        name: .customLong("apns-root"),
        help: ArgumentHelp(
            "Trust this authority (PEM file) for the server's certificate, instead of the system's.",
            valueName: "file"),
        completion: .file(extensions: ["pem"]))
    var root: String?

    func validate() throws {
        if certificates.contains("") { throw ValidationError("the path is empty") }
        guard (key == nil) == (keyIdentifier == nil), (key == nil) == (team == nil) else {
            throw ValidationError("use --push-key, --push-key-id and --push-team together")
        }
        if passwordFile != nil, certificates.isEmpty {
            throw ValidationError("--push-password-file needs --push-certificate")
        }
        if server != nil || root != nil, !isWanted {
            throw ValidationError("--apns and --apns-root need --push or another credential")
        }
        if let server, place(server) == nil {
            throw ValidationError("--apns needs a host and a port, such as localhost:2197")
        }
    }

    private var isWanted: Bool { push || !certificates.isEmpty || key != nil }

    /// The sender of pushes; nil without options to push.
    func sender(
        for store: ServiceStore, in shell: ServiceShell, logger: Logger
    ) throws -> PushSender? {
        guard isWanted else { return nil }
        var options = PushOptions()
        if let server, let place = place(server) { (options.host, options.port) = place }
        options.authorities = try root.map { root throws(Failure) in
            try shell.session.contents(of: root)
        }
        // The issuer of a test certificate may be one of the trusted authorities.
        let issuers = try shell.session.keptAnchors().all.compactMap(\.pem).map { Array($0.utf8) }
        var credentials = push ? try folderCredentials(issuers, in: shell) : []
        for file in certificates {
            credentials.append(try PushCredential(identity(in: file, issuers)))
        }
        if let key, let keyIdentifier, let team {
            credentials.append(
                try PushCredential(
                    key: URL(fileURLWithPath: key), identifier: keyIdentifier, team: team))
        }
        return try PushSender(store, credentials: credentials, options: options, logger: logger)
    }

    /// One credential for each pass type in the signing folder.
    private func folderCredentials(
        _ issuers: [[UInt8]], in shell: ServiceShell
    ) throws -> [PushCredential] {
        let path = shell.session.environment.signingFolder
        let folder = SigningFolder(URL(fileURLWithPath: path, isDirectory: true))
        let identities: [SigningIdentity]
        do throws(SigningFolderError) {
            let entries = try folder.contents().certificates.filter(\.hasKey)
            identities = try Set(entries.compactMap(\.passTypeIdentifier)).sorted()
                .map { type throws(SigningFolderError) in
                    try folder.identity(for: type, issuers: issuers)
                }
        } catch {
            throw Failure.unreadable(path, reason: error.servicePhrase)
        }
        guard !identities.isEmpty else {
            throw Failure.unreadable(
                path, reason: Phrase("there is no certificate with its key in it"))
        }
        return try identities.map(PushCredential.init)
    }

    private func identity(in file: String, _ issuers: [[UInt8]]) throws -> SigningIdentity {
        let secret = try Secret(privateFile: file)
        let password: Secret?
        if let passwordFile {
            password = try Secret(firstLineOfPrivateFile: passwordFile)
        } else {
            password = nil
        }
        do throws(SigningIdentityError) {
            // PKCS #12 begins with 0x30, a DER sequence; PEM is text.
            let start = unsafe secret.withUnsafeBytes { unsafe $0.first }
            guard start == 0x30 else {
                return try SigningIdentity(
                    certificate: secret.certificates(), key: secret, secret: password,
                    issuers: issuers)
            }
            let bytes = unsafe secret.withUnsafeBytes { unsafe Array($0) }
            return try SigningIdentity(pkcs12: bytes, secret: password, issuers: issuers)
        } catch {
            throw Failure.unreadable(
                file,
                reason: error.servicePhrase(
                    passwordNeeded: Phrase("a password is needed: use --push-password-file")))
        }
    }
}

/// The host and port in `localhost:2197` or `[::1]:2197`.
private func place(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
        let port = UInt16(text[text.index(after: colon)...]), port > 0
    else { return nil }
    return (String(text[..<colon]), Int(port))
}
