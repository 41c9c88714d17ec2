import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("list shows updates from an issuer's web service for a week")
struct RecentUpdatesTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("recent-updates")
    }

    /// A pass signed in the past, this many hours after the first version.
    private func recipe(gate: String, seat: String, hours: Double, from base: String) -> PassRecipe
    {
        var recipe = PassHolder.recipe("1", from: base, gate: gate, hours: hours)
        recipe.fields.append(
            .init("seat", seat, label: "Seat", changeMessage: "Seat changed to %@"))
        return recipe
    }

    private func news() throws -> String {
        let line = try holder.program.run(["list"]).lines.first ?? ""
        return line.components(separatedBy: "\(PassMaker.type)/1").last ?? ""
    }

    @Test("updates that were signed earlier are shown too, and all updates of the week together")
    func together() async throws {
        try await LoopbackServer.run { server in
            let base = server.url()
            let versions = [
                recipe(gate: "4", seat: "1A", hours: 0, from: base),
                recipe(gate: "7", seat: "1A", hours: 1, from: base),
                recipe(gate: "7", seat: "2B", hours: 2, from: base),
                recipe(gate: "4", seat: "2B", hours: 3, from: base),
            ]
            try holder.add([versions[0]])
            #expect(try news() == "")
            var told: [String] = []
            for version in versions.dropFirst() {
                let file = try holder.maker.make(version)
                server.serve(type: PassMaker.type, serial: "1", .pass(file))
                let result = try holder.update(["--json", "1"])
                #expect(holder.outcomes(result) == ["1": "updated 200"])
                told.append(try news())
            }
            let moment = /\((today|yesterday) [0-9:]{5}\)/
            #expect(
                told.map { $0.replacing(moment, with: "(then)") } == [
                    "  Gate changed to 7 (then)",
                    "  Gate changed to 7; Seat changed to 2B (then)",
                    // The gate has its original value again.
                    "  Seat changed to 2B (then)",
                ])
            let record = try holder.program.run(["list", "--json"]).records.first
            let changes = record?["changes"] as? [[String: Any]]
            #expect(changes?.compactMap { $0["old"] as? String } == ["1A"])
        }
    }

    @Test("changes that arrived more than a week ago are not shown, whenever they were signed")
    func old() async throws {
        try await LoopbackServer.run { server in
            let base = server.url()
            try holder.add([recipe(gate: "4", seat: "1A", hours: 0, from: base)])
            let second = try holder.maker.make(recipe(gate: "7", seat: "1A", hours: 1, from: base))
            server.serve(type: PassMaker.type, serial: "1", .pass(second))
            _ = try holder.update(["1"])
            #expect(try news().contains("Gate changed to 7"))
            try age("importedAt = importedAt - 8 * 86400, arrival = arrival - 8 * 86400")
            #expect(try news() == "")

            let third = try holder.maker.make(recipe(gate: "7", seat: "2B", hours: 2, from: base))
            server.serve(type: PassMaker.type, serial: "1", .pass(third))
            _ = try holder.update(["1"])
            #expect(try news().hasPrefix("  Seat changed to 2B ("))
            // A version that was signed earlier but arrived later does not count as the content of
            // a week ago.
            try holder.add([recipe(gate: "5", seat: "3C", hours: 1.5, from: base)])
            #expect(try news().contains("Seat changed to 2B ("))

            try holder.add([recipe(gate: "9", seat: "2B", hours: 4, from: base)])
            #expect(try news().contains("Gate changed to 9"))
        }
    }

    /// Changes the index entries of all versions.
    private func age(_ change: String) throws {
        let script = """
            import sqlite3, sys
            index = sqlite3.connect(sys.argv[1])
            index.execute("UPDATE versions SET " + sys.argv[2])
            index.commit()
            """
        let index = holder.home.library.appendingPathComponent("library.sqlite").path
        let result = try holder.program.execute(
            "/usr/bin/python3", ["-c", script, index, change], input: Data())
        try #require(result.status == 0, "\(result.errors)")
    }
}
