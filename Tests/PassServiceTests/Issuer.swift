import Foundation
import PassFixtures
import PassModel
import PassService
import PassVerification

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

    /// - Parameter gate: The only field, by which versions differ.
    func pass(
        _ serial: String, gate: String = "7", token: String? = Issuer.token,
        believing verifier: PassVerifier? = nil
    ) throws -> VerifiedPass {
        var recipe = PassRecipe(serial, file: "pass.pkpass")
        recipe.fields = [PassRecipe.Field("gate", gate)]
        recipe.webServiceURL = "https://wallet.example/wallet"
        recipe.authenticationToken = token
        let verification = (verifier ?? self.verifier).verify([UInt8](try maker.make(recipe)))
        guard let verified = verification.verified else { throw Unverified(verification) }
        return verified
    }

    struct Unverified: Error {
        let reasons: [Finding]

        init(_ verification: Verification) {
            reasons = verification.reasons
        }
    }
}

/// A store in a folder that is removed when the tests end.
func store(limits: ServiceLimits = ServiceLimits()) throws -> ServiceStore {
    try ServiceStore(at: try fixtureFolder().appending(path: "store"), limits: limits)
}
