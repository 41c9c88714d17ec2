package import Foundation

/// An issuer of passes with an authority of its own; its keys are gone when it is. Ten thousand passes
/// take seconds: one process makes all that are asked for at once.
package final class PassMaker: Sendable {
    /// The one type that its certificate is for, unless another is asked for.
    package static let type = "pass.example.loopback"
    package static let team = "TEAM123456"

    private let keys: URL
    private let type: String

    /// What `--trust-root` is given.
    package var authority: String { keys.appendingPathComponent("authority.pem").path }

    package init(type: String = PassMaker.type) throws {
        self.type = type
        keys = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-issuer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        try run(["python3", Self.script, "keys", keys.path, type, Self.team])
    }

    deinit { try? FileManager.default.removeItem(at: keys) }

    /// Writes the passes into a folder, each to its file.
    package func make(_ recipes: [PassRecipe], in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        // The same pass for the same recipe.
        encoder.outputFormatting = .sortedKeys
        try run(
            ["python3", Self.script, "passes", keys.path, folder.path, Self.team],
            input: try encoder.encode(recipes))
    }

    /// A pass by itself.
    package func make(_ recipe: PassRecipe) throws -> Data {
        let folder = keys.appendingPathComponent(UUID().uuidString)
        try make([recipe], in: folder)
        return try Data(contentsOf: folder.appendingPathComponent(recipe.file))
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("sign_passes.py").path
}
