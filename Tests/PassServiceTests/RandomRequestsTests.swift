import PassFixtures
import Testing

@testable import PassService

@Suite("No request leads to 500 or ends the server")
struct RandomRequestsTests {
    @Test("random bytes, paths, fields and bodies", .tags(.repeats), arguments: 1...4)
    func random(seed: Int) async throws {
        let store = try await StorePlace().open()
        try await store.publish(try Issuer().pass("E4"))
        let responder = ServiceResponder(store) { _ in DownloadPage(html: "", style: "") }
        let counts = try await Serving.run(responder) { serving in
            try await serving.ask(
                "fuzz.py", "\(seed)", "\(rounds(5_000, least: 250))", "\(serving.port)",
                PassMaker.type, "E4", Issuer.token)
        }.object
        let known: Set = [
            "200", "201", "204", "304", "400", "401", "404", "405", "413", "414", "431", "none",
            "reset", "last 200",
        ]
        #expect(Set(counts.keys).subtracting(known) == [])
        // The requests reach the code that can fail.
        #expect(Set(["200", "400", "401", "404", "405", "last 200"]).isSubset(of: counts.keys))
    }
}
