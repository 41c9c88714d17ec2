import Foundation
import PassFixtures
import PassModel
import PassService
import PassSigning
import PassVerification
import Testing

/// Makes trusted passes for the service, with Python and openssl.
struct Issuer {
    static let token = "vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc"
    private let maker: PassMaker
    private let verifier: PassVerifier

    init() throws {
        maker = try PassMaker()
        let authority = try [UInt8](Data(contentsOf: URL(filePath: maker.authority)))
        verifier = PassVerifier(anchors: try TrustAnchors(certificates: [authority]))
    }

    static func identity(_ serial: String) -> PassIdentity {
        PassIdentity(passTypeIdentifier: PassMaker.type, serialNumber: serial)
    }

    /// - Parameters:
    ///   - gate: The only field. Versions differ in its value.
    ///   - picture: The number of random bytes in its image.
    func pass(
        _ serial: String, gate: String = "7", token: String? = Issuer.token,
        believing verifier: PassVerifier? = nil, picture: Int = 100, isVoided: Bool = false
    ) throws -> VerifiedPass {
        var recipe = PassRecipe(serial, file: "pass.pkpass")
        recipe.fields = [PassRecipe.Field("gate", gate)]
        recipe.webServiceURL = "https://wallet.example/wallet"
        recipe.authenticationToken = token
        recipe.picture = picture
        recipe.voided = isVoided ? true : nil
        let verification = (verifier ?? self.verifier).verify([UInt8](try maker.make(recipe)))
        guard let verified = verification.verified else { throw Unverified(verification) }
        return verified
    }

    static let template = template(of: PassMaker.type)

    /// A template with the columns serialNumber, token and gate.
    static func template(of type: String) -> PassFolder {
        PassFolder([
            "pass.json": Array(
                """
                {
                    "formatVersion": 1, "passTypeIdentifier": "\(type)",
                    "serialNumber": "{{serialNumber}}", "teamIdentifier": "\(PassMaker.team)",
                    "organizationName": "Example Railways", "description": "Ticket",
                    "webServiceURL": "https://wallet.example/wallet",
                    "authenticationToken": "{{token}}",
                    "generic": {
                        "primaryFields": [
                            {"key": "gate", "value": "{{gate}}", "changeMessage": "Now: %@"}
                        ]
                    }
                }
                """.utf8),
            "icon.png": png(38, 38), "icon@2x.png": png(76, 76),
        ])
    }

    /// A row of the template.
    static func row(
        _ serial: String, gate: String = "7", token: String = Issuer.token,
        _ others: [String: String] = [:]
    ) -> TemplateRow {
        let values = ["serialNumber": serial, "gate": gate, "token": token]
        return TemplateRow(line: 1, values.merging(others) { $1 })
    }

    /// The beginning of a PNG (PNG specification, 5.2 and 11.2.1).
    static func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]
    }

    /// Signs passes as `pass` does.
    ///
    /// - Parameter change: Changes the certificate.
    func signer(_ change: (inout CertificateRecipe) -> Void = { _ in }) throws -> PassSigner {
        let certificate = try CertificateRecipe.signer(of: PassMaker.type, team: PassMaker.team)
            .changed(change).make()
        let files = try [certificate.path, certificate.keyPath, maker.authority].map {
            Array(try Data(contentsOf: URL(filePath: $0)))
        }
        let identity = try SigningIdentity(
            certificate: files[0], key: files[1], issuers: [files[2]])
        return PassSigner(identity, verifiedBy: verifier)
    }

    struct Unverified: Error {
        let reasons: [Finding]

        init(_ verification: Verification) {
            reasons = verification.reasons
        }
    }
}
