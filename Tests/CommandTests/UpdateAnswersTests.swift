import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("update judges every response by its contents, however the server labels it")
struct UpdateAnswersTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("answers")
    }

    @Test("a pass that is signed again for every request is not a newer version")
    func signedAnew() async throws {
        try await LoopbackServer.run { server in
            func recipe(hours: Double) -> PassRecipe {
                var recipe = PassHolder.recipe("1", from: server.url(), hours: hours)
                // The image is fixed, since a random one would be a change.
                recipe.picture = 0
                return recipe
            }
            try holder.add([recipe(hours: 1)])
            let listed = try holder.program.run(["list", "--json"]).output
            // One version signed later, and one signed earlier by a server with old data.
            let bodies = try [2.0, 3, 0].map { try holder.maker.make(recipe(hours: $0)) }
            try #require(Set(bodies).count == 3)
            server.serve(
                type: PassMaker.type, serial: "1", .pass(bodies[0]), .pass(bodies[1]),
                .pass(bodies[2]))
            for _ in bodies {
                let result = try holder.update(["--json", "--all"])
                #expect(result.status == 0)
                #expect(holder.outcomes(result) == ["1": "unchanged 200"])
            }
            // The missing Last-Modified date is reported once, to the log of the service.
            #expect(server.requests(for: PassHolder.path("1")).count == 3)
            #expect(server.requests(for: "/v1/log").count == 1)
            #expect(try holder.program.run(["list", "--json"]).output == listed)
            let shown = try holder.program.run(["show", "--json", "--history", "1"]).records
            #expect((shown.first?["versions"] as? [Any])?.count == 1)
        }
    }

    @Test("a better copy of the current version is stored, and is not a newer version")
    func betterCopy() async throws {
        try await LoopbackServer.run { server in
            let clean = try holder.maker.make(PassHolder.recipe("1", from: server.url()))
            try clean.write(to: holder.home.folder.appendingPathComponent("clean.pkpass"))
            let made = try holder.program.shell(
                """
                python3 -c 'import zipfile
                clean = zipfile.ZipFile("clean.pkpass")
                with zipfile.ZipFile("folder.pkpass", "w") as odd:
                    for name in clean.namelist(): odd.writestr("Trip/" + name, clean.read(name))
                ' && "$PROGRAM" import --trust-root '\(holder.maker.authority)' folder.pkpass
                """)
            try #require(made.status == 0, "\(made.errors)")
            server.serve(
                type: PassMaker.type, serial: "1", .pass(clean), .pass(clean))
            for _ in 0..<2 {
                let result = try holder.update(["--json", "--all"])
                #expect(holder.outcomes(result) == ["1": "unchanged 200"])
                let digests = try holder.program.shell(
                    "\"$PROGRAM\" export -o - 1 | sha256sum; sha256sum < clean.pkpass")
                #expect(digests.lines.count == 2 && Set(digests.lines).count == 1)
                let shown = try holder.program.run(["show", "--json", "1"]).records.first
                let origins = shown?["origins"] as? [[String: Any]] ?? []
                #expect(origins.map { $0["date"] != nil } == [true, true])
            }
        }
    }

    @Test(
        "a response larger than a pass may be, or than --max-size, is abandoned",
        arguments: [(nil, 64), ("1", 1), ("1024", 64)])
    func sizes(option: String?, size: Int) async throws {
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let options = option.map { ["--max-size", $0] } ?? []
            server.serve(type: PassMaker.type, serial: "1", .generated(size << 20 + 1))
            let large = try holder.update(["--json"] + options)
            #expect(holder.outcomes(large) == ["1": "failed size"])
            // A body of exactly that size is fetched and verified.
            server.serve(type: PassMaker.type, serial: "1", .generated(size << 20))
            let named = try holder.update(["--json", "1"] + options)
            #expect(holder.outcomes(named) == ["1": "refused 200 malformed"])
        }
        let help = try holder.program.run(["update", "--help"]).output
        #expect(help.contains("(default and maximum: 64)"))
    }
}
