package import Foundation

/// An issuer of passes of one type. Makes the passes of a request together, so that ten thousand
/// take only seconds.
package struct PassMaker: Sendable {
    /// The type of its passes by default.
    package static let type = "pass.example.loopback"
    package static let team = "TEAM123456"

    private let signer: CertificateRecipe
    private let team: String

    /// The file of the authority for `--trust-root`.
    package let authority: String

    package init(
        type: String = PassMaker.type, team: String = PassMaker.team,
        authority: CertificateRecipe = .root
    ) throws {
        signer = .signer(of: type, team: team, issuer: authority)
        self.team = team
        self.authority = try authority.make().path
    }

    /// Writes the passes into a folder, each to its file.
    package func make(_ recipes: [PassRecipe], in folder: URL) throws {
        struct Body: Encodable {
            let recipes: [PassRecipe]
            let folder: String
            let signer: CertificateRecipe
            let team: String
        }
        let body = Body(recipes: recipes, folder: folder.path, signer: signer, team: team)
        _ = try IssuerProcess.ask("passes", body, as: Int.self)
    }

    /// A single pass.
    package func make(_ recipe: PassRecipe) throws -> Data {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-made-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try make([recipe], in: folder)
        return try Data(contentsOf: folder.appendingPathComponent(recipe.file))
    }

    /// A signed pass with these files.
    package func make(
        _ files: [(name: String, bytes: [UInt8])], signedAt moment: Date? = nil
    ) throws -> [UInt8] {
        struct Body: Encodable {
            let files: [ArchivedFile]
            let signer: CertificateRecipe
            let moment: Date?
        }
        let body = Body(
            files: files.map { ArchivedFile($0.name, $0.bytes) }, signer: signer, moment: moment)
        return Array(try IssuerProcess.ask("pass", body, as: Data.self))
    }
}

/// The same files in another order, compressed, as in an archive that a mail gateway has rewritten.
package func repacked(_ archive: [UInt8]) throws -> [UInt8] {
    Array(try IssuerProcess.ask("repack", Data(archive), as: Data.self))
}
