/// The authority of the servers' certificates, and those that it makes.
package enum ServerAuthority {
    private static let recipe = authority(number: 0)

    /// What a client that trusts the authority is given as SSL_CERT_FILE.
    package static var path: String { get throws { try recipe.make().path } }

    package enum Issuer: Sendable {
        case authority
        /// One with the name of the authority and another key.
        case stranger
        case itself
    }

    /// - Parameters:
    ///   - hosts: The subject alternative names, as openssl has them: `DNS:localhost`.
    ///   - commonName: The name of the subject.
    ///   - issuer: The signer of the certificate.
    ///   - from: The beginning of its 30 days, as faketime takes it; nil for now.
    package static func certificate(
        hosts: [String], commonName: String, by issuer: Issuer, from: String?
    ) throws -> Certificate {
        let names = hosts.isEmpty ? [] : ["subjectAltName=\(hosts.joined(separator: ","))"]
        let signer: CertificateRecipe? =
            switch issuer {
            case .authority: recipe
            case .stranger: authority(number: 1)
            case .itself: nil
            }
        return try CertificateRecipe(
            "/CN=\(commonName)",
            ["basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth"] + names,
            issuer: signer, from: from, days: 30
        ).make()
    }

    private static func authority(number: Int) -> CertificateRecipe {
        CertificateRecipe(
            "/CN=Servers on Loopback", ["basicConstraints=critical,CA:TRUE"], issuer: nil,
            from: nil, days: 3650
        ).changed { $0.number = number }
    }
}
