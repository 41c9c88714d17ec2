import Foundation
import LoopbackServer
import Testing

@Suite("Ten thousand passes are asked about politely, and in bounded memory")
struct UpdatingManyTests {
    private static let count = 10_000
    private static let changed = 50
    private static let then = Date(timeIntervalSince1970: 1_700_000_000)
    private static let token = "0123456789abcdef"

    private let home: FetchingHome
    private let folder: URL

    init() throws {
        home = try FetchingHome()
        folder = home.home.folder.appendingPathComponent("passes")
    }

    private func recipe(_ number: Int, at service: String) -> PassRecipe {
        var recipe = PassRecipe(String(format: "%05d", number))
        recipe.fields = [
            .init("gate", "23", label: "Gate", changeMessage: "Gate changed to %@")
        ]
        recipe.signedAt = Self.then
        recipe.webServiceURL = service
        recipe.authenticationToken = Self.token
        return recipe
    }

    @Test("Each is asked about once, and those that changed are there", .timeLimit(.minutes(20)))
    func many() async throws {
        defer { home.remove() }
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            let service = server.url("/service")
            let recipes = (0..<Self.count).map { recipe($0, at: service) }
            let issuer = try FetchingHome.issuer.get()
            try issuer.make(recipes, in: folder.appendingPathComponent("old"))
            let words = ["import", folder.appendingPathComponent("old").path]
            let imported = try home.program.run(words + (try FetchingHome.trust))
            try #require(imported.status == 0, "\(imported.errors)")

            let newer = try newer(recipes)
            for recipe in recipes {
                let answer = newer[recipe.serial] ?? Answer.pass([]).modified(Self.then)
                server.serve(
                    type: recipe.type, serial: recipe.serial, at: "/service",
                    answer.guarded(by: Self.token))
            }
            let run = try update("--json")
            let result = try run.finish()
            #expect(result.status == 0, "\(result.errors)")
            print("peaks of memory in KiB: \(run.peaks)")
            for name in ["passconduit", "passconduit-fetch"] {
                #expect(run.peaks[name, default: .max] < 100 << 10)
            }
            let requests = server.requests
            #expect(requests.count == Self.count)
            #expect(Set(requests.map(\.path)).count == Self.count)
            #expect(requests.allSatisfy { $0["If-Modified-Since"] != nil })
            #expect(requests.filter { $0.status == 304 }.count == Self.count - Self.changed)
            #expect(requests.filter { $0.status == 200 }.count == Self.changed)
            #expect(server.mostAtOnce <= 2)
            #expect(server.connections <= 20)

            let updated = result.records.filter { $0["outcome"] as? String == "updated" }
            let serials = updated.compactMap {
                ($0["pass"] as? [String: Any])?["serialNumber"] as? String
            }
            #expect(Set(serials) == Set(newer.keys))

            // Nothing is due by now.
            #expect(try update().finish().status == 0)
            #expect(server.requests.count == Self.count)
        }
    }

    private func update(_ words: String...) throws -> Started {
        let fixed = ["update", "--allow-private"] + (try FetchingHome.trust)
        return try Started(home.program, fixed + words)
    }

    /// Other versions of some, spread over all, signed a day later.
    private func newer(_ recipes: [PassRecipe]) throws -> [String: Answer] {
        let chosen = stride(from: 7, to: Self.count, by: Self.count / Self.changed)
        let newer = chosen.map { number in
            var recipe = recipes[number]
            recipe.fields[0].value = "7"
            recipe.signedAt = Self.then.addingTimeInterval(86_400)
            return recipe
        }
        let place = folder.appendingPathComponent("new")
        try FetchingHome.issuer.get().make(newer, in: place)
        return Dictionary(
            uniqueKeysWithValues: newer.map { recipe in
                let file = place.appendingPathComponent(recipe.file).path
                let answer = Answer.passFile(file)
                    .modified(Self.then.addingTimeInterval(86_400))
                return (recipe.serial, answer)
            })
    }
}
