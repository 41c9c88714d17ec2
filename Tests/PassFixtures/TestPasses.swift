package import Foundation

/// Passes with every verdict, and mail that contains them. `verdicts.py` makes them on first use.
package struct TestPasses: Sendable {
    package let folder: URL

    /// The facts about each file, determined by Python.
    package let facts: [String: Facts]

    package struct Facts: Sendable, Decodable {
        package let sha256: String
        package let size: Int
    }

    package static func make() throws -> TestPasses { try made.get() }

    package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    package func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// The authority of the trusted pass, as arguments.
    package var trust: [String] { ["--trust-root", path("authority.pem")] }

    private static let made = Result {
        struct Body: Encodable {
            let signers: [String: CertificateRecipe]
            let authority: CertificateRecipe
        }
        struct Made: Decodable {
            let folder: String
            let facts: [String: Facts]
        }
        let (type, team) = ("pass.example.test", "TEAM123456")
        let body = Body(
            signers: [
                "one": .signer(of: type, team: team),
                "two": .signer(of: type, team: team, issuer: .otherRoot),
            ], authority: .root)
        let made = try IssuerProcess.ask("verdicts", body, as: Made.self)
        return TestPasses(folder: URL(fileURLWithPath: made.folder), facts: made.facts)
    }
}

/// A new folder that is removed when the tests end.
package func fixtureFolder() throws -> URL {
    URL(fileURLWithPath: try IssuerProcess.ask("folder", true, as: String.self))
}
