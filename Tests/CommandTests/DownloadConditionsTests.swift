import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("A resumed download keeps the options with which it was requested")
struct DownloadConditionsTests {
    private let home: FetchingHome

    init() throws {
        home = try FetchingHome()
    }

    /// Requests a pass that never arrives, with these options.
    private func ask(_ server: LoopbackServer, _ pass: Data, _ words: [String]) throws {
        server.serve(
            "/1.pkpass", .status(503, retryAfter: "60"), .pass(pass))
        let words = ["import", server.url("/1.pkpass"), "--allow-http", "--allow-private"] + words
        #expect(try home.program.run(words).status == 2)
    }

    private func goOn(_ words: String...) throws -> Program.Result {
        try home.program.run(["downloads", "resume", "--json"] + words)
    }

    @Test("it keeps its authority, even without the certificate file; no other download uses it")
    func authority() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        let root = home.home.path("root.pem")
        try FileManager.default.copyItem(
            atPath: FetchingHome.issuer.get().authority, toPath: root)
        try await LoopbackServer.run { server in
            server.serve("/2.pkpass", .status(503, retryAfter: "60"), .pass(pass))
            try ask(server, pass, ["--trust-root", root, "--user-agent", "Wallet"])
            try FileManager.default.removeItem(atPath: root)
            let other = ["import", server.url("/2.pkpass"), "--allow-http", "--allow-private"]
            #expect(try home.program.run(other).status == 2)
            let result = try goOn()
            #expect(result.passes.map { $0["import"] as? String } == ["added", "refused"])
            #expect(
                server.requests(for: "/1.pkpass").map { $0["User-Agent"] } == ["Wallet", "Wallet"])
            #expect(server.requests(for: "/2.pkpass").allSatisfy { $0["User-Agent"] != "Wallet" })
        }
    }

    @Test("it keeps the verdicts that were accepted")
    func acceptance() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            try ask(server, pass, ["--accept", "untrusted"])
            let result = try goOn()
            #expect(result.pass?["verdict"] as? String == "untrusted")
            #expect(result.pass?["import"] as? String == "added")
        }
    }

    @Test("it keeps the options of the last request")
    func askedAgain() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            try ask(server, pass, [])
            server.serve("/1.pkpass", .status(503, retryAfter: "60"), .pass(pass))
            try ask(server, pass, FetchingHome.trust)
            #expect(try goOn().pass?["import"] as? String == "added")
        }
    }

    @Test("options given to resume are added")
    func joined() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            let refused = try home.program.run(
                ["import", "--json", server.url("/1.pkpass"), "--allow-private"]
                    + FetchingHome.trust)
            #expect(refused.problems.map(\.code) == ["fetch-insecure"])
            #expect(server.requests.isEmpty)
            #expect(try goOn("1", "--allow-http").pass?["import"] as? String == "added")
        }
    }

    @Test("a failed download resumes only by its number, and not after it was requested again")
    func failed() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .status(404), .pass(pass))
            let missing = try home.imports(server.url("/1.pkpass"))
            #expect(missing.problems.map(\.code) == ["fetch-status"])
            #expect(try goOn().passes.isEmpty)
            #expect(try goOn("1").pass?["import"] as? String == "added")

            server.serve("/2.pkpass", .status(404), .status(404), .pass(pass))
            _ = try home.imports(server.url("/2.pkpass"))
            _ = try home.imports(server.url("/2.pkpass"))
            #expect(try goOn("2").passes.isEmpty)
            #expect(try goOn("3").pass?["import"] as? String == "unchanged")
            #expect(server.requests(for: "/2.pkpass").count == 3)
        }
    }
}
