import Foundation
import Loopback
import PassFixtures

/// A user whose library holds passes of an issuer with a web service on loopback.
final class PassHolder {
    /// The signing time of the first versions.
    static let signed = Date(timeIntervalSince1970: 1_700_000_000)
    /// The same time in the form of an HTTP field.
    static let signedField = "Tue, 14 Nov 2023 22:13:20 GMT"

    let home: Home
    let program: Program
    let maker: PassMaker

    init(_ name: String) throws {
        home = try Home(named: name)
        // Ignores a proxy configured on this computer.
        program = Program(home: home)
        maker = try PassMaker()
    }

    deinit { home.remove() }

    /// The recipe of the pass with this serial number, signed this many hours after the first
    /// version.
    static func recipe(
        _ serial: String, from base: String, gate: String = "4", hours: Double = 0
    ) -> PassRecipe {
        var recipe = PassRecipe(serial)
        recipe.fields = [.init("gate", gate, label: "Gate", changeMessage: "Gate changed to %@")]
        recipe.signedAt = signed.addingTimeInterval(hours * 3600)
        recipe.webServiceURL = base
        recipe.authenticationToken = token(serial)
        return recipe
    }

    static func token(_ serial: String) -> String { "secret-of-\(serial)" }

    static func path(_ serial: String, at base: String = "") -> String {
        "\(base)/v1/passes/\(PassMaker.type)/\(serial)"
    }

    /// Imports passes into the library.
    func add(_ recipes: [PassRecipe], _ options: [String] = []) throws {
        let folder = home.folder.appendingPathComponent("mail-\(UUID().uuidString)")
        try maker.make(recipes, in: folder)
        let result = try program.run(
            ["import", "--trust-root", maker.authority] + options + [folder.path])
        guard result.status == 0 else { throw Failed(errors: result.errors) }
    }

    struct Failed: Error { let errors: String }

    static let onLoopback = ["--allow-http", "--allow-private"]

    func update(
        _ arguments: [String] = [], _ allowing: [String] = PassHolder.onLoopback
    ) throws -> Program.Result {
        try program.run(["update", "--trust-root", maker.authority] + allowing + arguments)
    }

    /// The outcome for each pass, by serial number, from `update --json`.
    func outcomes(_ result: Program.Result) -> [String: String] {
        var outcomes: [String: String] = [:]
        for record in result.records where record["record"] as? String == "update" {
            let pass = record["pass"] as? [String: Any]
            let problem = (record["problem"] as? [String: Any])?["code"] as? String
            let status = (record["status"] as? Int).map { " \($0)" } ?? ""
            outcomes[pass?["serialNumber"] as? String ?? ""] =
                (record["outcome"] as? String ?? "") + status + (problem.map { " \($0)" } ?? "")
        }
        return outcomes
    }

    /// The gate in the current version.
    func gate(_ serial: String) throws -> String? {
        let record = try program.run(["show", "--json", "\(PassMaker.type)/\(serial)"]).records
            .first
        let fields = (record?["contents"] as? [String: Any])?["fields"] as? [[String: Any]]
        return fields?.first { $0["key"] as? String == "gate" }?["value"] as? String
    }

    /// Runs statements on the index of the library.
    func change(_ statements: String) throws {
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as index: index.executescript(sys.argv[2])
            """
        let index = home.library.appendingPathComponent("library.sqlite").path
        let run = try program.execute(
            "/usr/bin/python3", ["-c", script, index, statements], input: Data())
        guard run.status == 0 else { throw Failed(errors: run.errors) }
    }
}
