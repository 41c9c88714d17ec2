import FakeAPNs
import Foundation
import PassFixtures
import PassService
import PassSigning

/// The certificates and keys of a fake APNs and its clients.
struct PushSite {
    static let type = "pass.example.loopback"
    static let otherType = "pass.example.other"
    static let team = "TEAM123456"
    static let keyIdentifier = "ABC1234567"

    let server: Certificate
    let root: [UInt8]

    /// - Parameters:
    ///   - issuer: The authority of the server's certificate; clients trust `.authority`.
    ///   - hosts: The names in the certificate.
    init(
        _ issuer: ServerAuthority.Issuer = .authority,
        hosts: [String] = ["DNS:localhost", "IP:127.0.0.1"], from: String? = nil
    ) throws {
        server = try ServerAuthority.certificate(
            hosts: hosts, commonName: "APNs on Loopback", by: issuer, from: from)
        root = try bytes(ServerAuthority.path)
    }

    /// A server that requires client certificates.
    func configuration(port: Int = 0, allowsTokens: Bool = false) throws -> FakeAPNs.Configuration {
        let authority = try CertificateRecipe.root.make().path
        var configuration = FakeAPNs.Configuration(
            certificate: server.path, key: server.keyPath,
            clients: allowsTokens ? .any(checkedBy: authority) : .certified(by: authority))
        configuration.port = port
        return configuration
    }

    func options(port: Int) -> PushOptions {
        var options = PushOptions()
        (options.host, options.port) = ("localhost", port)
        options.authorities = root
        options.pollInterval = 0.02
        return options
    }

    /// A certificate like Apple's, for signing passes and for TLS clients.
    static func certificate(
        of type: String = type, issuer: CertificateRecipe = .root
    ) throws -> Certificate {
        try CertificateRecipe.signer(of: type, team: team, issuer: issuer).changed {
            $0.extensions[1] = "extendedKeyUsage=clientAuth,1.2.840.113635.100.4.14"
        }.make()
    }

    static func credential(
        of type: String = type, issuer: CertificateRecipe = .root
    ) throws -> PushCredential {
        let certificate = try certificate(of: type, issuer: issuer)
        return try PushCredential(
            SigningIdentity(
                certificate: bytes(certificate.path), key: bytes(certificate.keyPath),
                issuers: [bytes(issuer.make().path)]))
    }

    /// A new key, like those of the developer portal.
    static func tokenKey(curve: String = "P-256") throws -> URL {
        let file = try fixtureFolder().appending(path: "AuthKey_\(keyIdentifier).p8")
        _ = try run(
            [
                "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)",
                "-out", file.path,
            ], input: [])
        try setMode(0o600, of: file)
        return file
    }

    static func tokenCredential(_ key: URL) throws -> PushCredential {
        try PushCredential(key: key, identifier: keyIdentifier, team: team)
    }
}

func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
}

func setMode(_ mode: Int, of file: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
}

/// A push token with a number in it.
func token(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
}
