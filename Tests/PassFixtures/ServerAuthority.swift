/// The authority that issues the servers' certificates.
package enum ServerAuthority {
    private static let recipe = authority(number: 0)

    /// The value of SSL_CERT_FILE for a client that trusts the authority.
    package static var path: String { get throws { try recipe.make().path } }

    package enum Issuer: Sendable {
        case authority
        /// An authority with the same name and another key.
        case stranger
        case itself
    }

    /// - Parameters:
    ///   - hosts: The subject alternative names in openssl's form: `DNS:localhost`.
    ///   - commonName: The name of the subject.
    ///   - issuer: The signer of the certificate.
    ///   - from: The start of its 30 days in faketime's form; nil for now.
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
