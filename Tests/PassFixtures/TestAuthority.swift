import Foundation

/// A certificate authority made by the openssl program for one run of the tests, with a certificate
/// of every kind that could sign a pass. Its keys exist only during the run.
package enum TestAuthority {
    package static let passType = "pass.com.example.test"
    package static let team = "TEAM123456"

    package static func certificate(_ name: String) throws -> Certificate {
        try recipe(name).make()
    }

    package static func pem(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: certificate(name).path)))
    }

    /// A detached signature in DER, made by the openssl program at noon of `date`.
    ///
    /// - Parameter options: Options of `openssl cms -sign`.
    package static func sign(
        _ content: [UInt8], by signers: [String], with others: [String], on date: String,
        _ options: [String]
    ) throws -> [UInt8] {
        struct Body: Encodable {
            let content: Data
            let signers, others: [CertificateRecipe]
            let moment: Date
            let options: [String]
        }
        let body = Body(
            content: Data(content), signers: try signers.map(recipe),
            others: try others.map(recipe),
            moment: try Date("\(date)T12:00:00Z", strategy: .iso8601), options: options)
        return Array(try IssuerProcess.ask("sign", body, as: Data.self))
    }

    /// Whether the openssl program verifies the signature, ignoring trust.
    package static func opensslVerifies(_ signature: [UInt8], over content: [UInt8]) throws -> Bool
    {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-content-\(UUID().uuidString)")
        try Data(content).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            _ = try run(
                [
                    "openssl", "cms", "-verify", "-noverify", "-binary", "-inform", "DER",
                    "-content", file.path(percentEncoded: false), "-out", "/dev/null",
                ], input: signature)
            return true
        } catch is ProgramFailure {
            return false
        }
    }

    private struct Unknown: Error { let name: String }

    private static func recipe(_ name: String) throws -> CertificateRecipe {
        guard let recipe = recipes[name] else { throw Unknown(name: name) }
        return recipe
    }

    private static let recipes: [String: CertificateRecipe] = {
        let authority = CertificateRecipe.ofAuthorities
        let root = CertificateRecipe.root
        let intermediate = CertificateRecipe("/CN=Sample Intermediate", authority, issuer: root)
        let md5 = CertificateRecipe("/CN=Sample MD5", authority, issuer: root)
            .changed { $0.digest = "md5" }
        let short = CertificateRecipe("/CN=Sample Short", authority, issuer: root, days: 365)
        let stranger = CertificateRecipe("/CN=Stranger", authority, issuer: nil)
        // The intermediate's name with another key, issued by an untrusted root.
        let impostor = CertificateRecipe("/CN=Sample Intermediate", authority, issuer: stranger)

        let type = passType
        let subject = "/UID=\(type)/CN=Pass Type ID: \(type)/OU=\(team)/O=Sample/C=US"
        let purpose = "extendedKeyUsage=1.2.840.113635.100.4.14"
        let named = "1.2.840.113635.100.6.1.16=ASN1:UTF8String:"
        let ofLeaf = ["basicConstraints=CA:FALSE", purpose, named + type]
        func make(
            _ subject: String, _ extensions: [String], issuer: CertificateRecipe? = intermediate,
            days: Int = 730
        ) -> CertificateRecipe {
            CertificateRecipe(subject, extensions, issuer: issuer, days: days)
        }
        let leaf = make(subject, ofLeaf)
        let bare = ["authorityKeyIdentifier=none"]
        let mailAuthority = CertificateRecipe(
            "/CN=Sample Mail", authority + ["extendedKeyUsage=emailProtection"], issuer: root)
        let severalPurposes = mailAuthority.changed {
            $0.extensions[$0.extensions.count - 1] = purpose + ",emailProtection"
        }
        let koblitz = CertificateRecipe("/CN=Sample Koblitz", authority, issuer: root)
            .changed { $0.key[2] = "ec_paramgen_curve:secp256k1" }
        let rootImpostor = make("/CN=Sample Root", authority + bare, issuer: nil)
            .changed { $0.key = CertificateRecipe.rsa }
        return [
            "root": root, "intermediate": intermediate, "md5": md5, "short": short,
            "stranger": stranger, "impostor": impostor, "leaf": leaf,
            "rsa": leaf.changed { $0.key = CertificateRecipe.rsa },
            "leaf-bare": make(subject, ofLeaf + bare), "mail-authority": mailAuthority,
            "by-mail": make(subject, ofLeaf, issuer: mailAuthority),
            "several-purposes": severalPurposes,
            "by-several-purposes": make(subject, ofLeaf, issuer: severalPurposes),
            "koblitz": koblitz, "by-koblitz": make(subject, ofLeaf, issuer: koblitz),
            "purpose-and-byte": make(
                subject, ["2.5.29.37=DER:300b06092a864886f76364040e00", named + type]),
            "secp256k1": leaf.changed { $0.key[2] = "ec_paramgen_curve:secp256k1" },
            "brainpool": leaf.changed { $0.key[2] = "ec_paramgen_curve:brainpoolP256r1" },
            "p-384": leaf.changed { $0.key[2] = "ec_paramgen_curve:P-384" },
            "weak": leaf.changed { $0.key = ["rsa:512"] },
            "72-bits": leaf.changed { $0.key = ["rsa:768"] },
            "80-bits": leaf.changed { $0.key = ["rsa:1024"] },
            "not-for-signing": make(subject, ofLeaf + ["keyUsage=critical,keyEncipherment"]),
            "for-signing": make(subject, ofLeaf + ["keyUsage=critical,digitalSignature"]),
            "rsa-2047": leaf.changed { $0.key = ["rsa:2047"] },
            "purposeless": make(subject, [named + type]),
            "mail": make(subject, ["extendedKeyUsage=emailProtection", named + type]),
            "unnamed": make(subject, [purpose]),
            "misnamed": make(subject, [purpose, named + "pass.com.example.other"]),
            "printable": make(
                subject, [purpose, "1.2.840.113635.100.6.1.16=ASN1:PRINTABLESTRING:\(type)"]),
            "nobody": make("/CN=x/OU=\(team)", ofLeaf),
            "lookalike": make("/UID=pass.com.example.TEST/CN=x/OU=\(team)", ofLeaf),
            "two-types": make("/UID=\(type)/UID=pass.com.example.other/CN=x/OU=\(team)", ofLeaf),
            "stranger-team": make("/UID=\(type)/CN=x/OU=OTHERTEAM1", ofLeaf),
            "two-teams": make("/UID=\(type)/CN=x/OU=OTHERTEAM1/OU=\(team)", ofLeaf),
            "root-impostor": rootImpostor,
            "forged": make(subject, ofLeaf, issuer: impostor),
            "forged-bare": make(subject, ofLeaf + bare, issuer: impostor),
            "forged-root": make(subject, ofLeaf + bare, issuer: rootImpostor),
            "self-signed": make(subject, ofLeaf, issuer: nil),
            "by-leaf": make(subject, ofLeaf, issuer: leaf),
            "by-md5": make(subject, ofLeaf, issuer: md5),
            "by-short": make(subject, ofLeaf, issuer: short, days: 3000),
            "by-root": make(subject, ofLeaf, issuer: root, days: 8000),
        ]
    }()
}
