import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("A download in another process can be listed, paused and cancelled by its number")
struct DownloadsElsewhereTests {
    private let home: FetchingHome
    private let pass: Data

    init() throws {
        home = try FetchingHome()
        pass = try FetchingHome.pass("0001") { $0.picture = 3_000_000 }
    }

    private func downloads(_ words: String...) throws -> Program.Result {
        try home.program.run(["downloads"] + words)
    }

    private var bodies: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: home.home.library.appendingPathComponent("downloads").path)
        }
    }

    /// Starts a download that would take a minute, and returns once it has received some bytes.
    private func start(_ server: LoopbackServer, _ answer: Answer) async throws -> Started {
        server.serve("/1.pkpass", answer.paced(bytesPerSecond: 50_000), answer)
        let words = ["import", "--json", server.url("/1.pkpass")] + (try FetchingHome.options)
        let run = try Started(home.program, words)
        try await server.waits { $0.contains { $0.sent > 100_000 } }
        let limit = ContinuousClock.now.advanced(by: .seconds(20))
        while try bodies.isEmpty, .now < limit { try await Task.sleep(for: .milliseconds(20)) }
        return run
    }

    @Test("A paused download keeps the bytes received")
    func paused() async throws {
        defer { home.remove() }
        let answer = Answer.pass(pass).ranges().tagged("\"a\"")
        try await LoopbackServer.run { server in
            let run = try await start(server, answer)
            let record = try #require(try downloads("list", "--json").records.first)
            #expect(record["state"] as? String == "active")
            let received = try #require(record["receivedContentLength"] as? Int)
            #expect(received < pass.count / 2)
            let line = try downloads("list").output
            #expect(line.hasPrefix("1  active  "))
            #expect(line.hasSuffix("  \(server.url("/1.pkpass"))\n"), "\(line)")

            let paused = try downloads("pause", "1", "--json").records.first
            #expect(paused?["state"] as? String == "paused")
            let result = try run.finish()
            #expect(result.status == 2)
            #expect(result.problems.map(\.code) == ["fetch-paused"], "\(result.output)")
            #expect(result.problems.first?.detail.contains("downloads resume 1") == true)
            try await server.waits { $0.last?.end != nil }
            #expect(try bodies.count == 1)
            #expect(try downloads("list").output.hasPrefix("1  paused  "))

            let resumed = try downloads("resume", "1", "--json")
            #expect(resumed.pass?["import"] as? String == "added", "\(resumed.output)")
            #expect(server.requests.count == 2)
            #expect(server.requests.last?.status == 206)
            #expect(try bodies.isEmpty)
        }
    }

    @Test("A cancelled download keeps no bytes")
    func cancelled() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            let run = try await start(server, .pass(pass).ranges().tagged("\"a\""))
            #expect(
                try downloads("cancel", "1").output == "1  cancelled  \(server.url("/1.pkpass"))\n")
            let result = try run.finish()
            #expect(result.status == 2)
            #expect(result.problems.map(\.code) == ["fetch-cancelled"], "\(result.output)")
            try await server.waits { $0.last?.end != nil }
            #expect(try bodies.isEmpty)
            #expect(try downloads("list").output == "")
            #expect(try downloads("resume", "1", "--json").passes.isEmpty)
            #expect(server.requests.count == 1)
            #expect(try home.serials == [])
        }
    }

    @Test("Resuming does not affect it")
    func resumed() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            let run = try await start(server, .pass(pass))
            let other = try downloads("resume", "1", "--json")
            #expect(other.status == 2)
            #expect(other.problems.map(\.code) == ["fetch-elsewhere"], "\(other.output)")
            #expect(try downloads("list", "--json").records.first?["state"] as? String == "active")
            #expect(server.requests.count == 1)
            _ = try downloads("cancel", "1")
            #expect(try run.finish().problems.map(\.code) == ["fetch-cancelled"])
        }
    }
}
