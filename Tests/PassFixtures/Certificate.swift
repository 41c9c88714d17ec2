/// A recipe from which openssl makes a certificate.
package struct CertificateRecipe: Sendable, Encodable {
    package var subject: String
    /// Lines of openssl's configuration.
    package var extensions: [String]
    /// At most one; a certificate without an issuer is self-signed.
    package var issuer: [CertificateRecipe]
    /// The signing time in faketime's form; nil for now.
    package var from: String?
    package var days: Int
    package var digest = "sha256"
    /// The kind of the key, in the form of `openssl req -newkey`.
    package var key = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    /// Distinguishes certificates that are otherwise equal.
    package var number = 0

    package init(
        _ subject: String, _ extensions: [String], issuer: CertificateRecipe?,
        from: String? = "2021-01-01 00:00:00", days: Int = 730
    ) {
        self.subject = subject
        self.extensions = extensions
        self.issuer = issuer.map { [$0] } ?? []
        self.from = from
        self.days = days
    }

    package func changed(_ change: (inout CertificateRecipe) -> Void) -> CertificateRecipe {
        var recipe = self
        change(&recipe)
        return recipe
    }

    /// The certificate of this recipe. It is made only once.
    package func make() throws -> Certificate { try IssuerProcess.ask("certificate", self) }

    static let rsa = ["rsa:2048"]
    static let ofAuthorities = [
        "basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign,cRLSign",
    ]
}

/// A certificate and its key, in files that exist until the tests end.
package struct Certificate: Sendable, Decodable {
    package let path: String
    package let keyPath: String
}

extension CertificateRecipe {
    /// The authority that the tests trust, valid from 2020 to 2044.
    package static let root = authority("Sample Root")

    /// Another authority, which the tests do not trust.
    package static let otherRoot = authority("Other Root")

    private static func authority(_ name: String) -> CertificateRecipe {
        CertificateRecipe(
            "/CN=\(name)", ofAuthorities, issuer: nil, from: "2020-01-01 00:00:00", days: 9000
        ).changed { $0.key = rsa }
    }

    /// A certificate that signs passes of a type, valid from 2020 to 2044.
    package static func signer(
        of type: String, team: String, issuer: CertificateRecipe = .root
    ) -> CertificateRecipe {
        CertificateRecipe(
            "/UID=\(type)/CN=Pass Type ID: \(type)/OU=\(team)",
            [
                "basicConstraints=CA:FALSE", "extendedKeyUsage=1.2.840.113635.100.4.14",
                "1.2.840.113635.100.6.1.16=ASN1:UTF8String:\(type)",
            ], issuer: issuer, from: "2020-01-02 00:00:00", days: 8990
        ).changed { $0.key = rsa }
    }
}
