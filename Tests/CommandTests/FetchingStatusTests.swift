import Foundation
import Loopback
import Testing

@Suite("Responses other than a pass are reported and respected")
struct FetchingStatusTests {
    @Test(
        "A permanent status",
        arguments: [400, 401, 403, 404, 410, 451, 501])
    func lasting(status: Int) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .status(status))
            let result = try home.imports(server.url("/1.pkpass"))
            #expect(result.status == 2)
            #expect(result.problems.map(\.code) == ["fetch-status"], "\(result.output)")
            #expect(result.problems.first?.detail.contains("\(status)") == true)
            #expect(server.requests.count == 1)
            let left = try home.program.run(["downloads", "list", "--all", "--json"]).records
            #expect(left.map { $0["state"] as? String } == ["failed"])
        }
    }

    @Test(
        "A temporary status: no further request is sent before its Retry-After",
        arguments: [429, 503])
    func passing(status: Int) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .status(status, retryAfter: "3"), .pass(pass))
            let result = try home.imports(server.url("/1.pkpass"))
            #expect(result.status == 0, "\(result.output)")
            #expect(try home.serials == ["0001"])
            #expect(server.gaps(for: "/1.pkpass").map { $0 >= .seconds(3) } == [true])
        }
    }

    @Test(
        "A server that stops sending, or sends too little, is given up for another attempt",
        arguments: [["--idle-timeout", "1"], ["--idle-timeout", "1", "--min-rate", "2000"]])
    func slow(options: [String]) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        let slow =
            options.count == 2
            ? Answer.generated(100_000).stalled(after: 1000)
            : Answer.generated(100_000).paced(bytesPerSecond: 1000)
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", slow, .pass(pass))
            let start = ContinuousClock.now
            let words = ["import", "--json", server.url("/1.pkpass")] + options
            let result = try home.program.run(words + (try FetchingHome.options))
            #expect(result.status == 0, "\(result.output)")
            #expect(try home.serials == ["0001"])
            #expect(server.requests.count == 2)
            // The default is 45 seconds.
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    @Test("Retry-After beyond the end of the run: until then `downloads resume --due` does nothing")
    func postponed() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .status(503, retryAfter: "7200"), .pass(pass))
            let result = try home.imports(server.url("/1.pkpass"))
            #expect(result.status == 2)
            let waiting = try home.program.run(["downloads", "list", "--json"]).records
            #expect(waiting.map { $0["state"] as? String } == ["waiting"])
            #expect(waiting.first?["nextAttempt"] is String)
            let due = ["downloads", "resume", "--due"] + (try FetchingHome.options)
            #expect(try home.program.run(due).status == 0)
            #expect(server.requests.count == 1)
            // A request by the user does not wait.
            let now = ["downloads", "resume"] + (try FetchingHome.options)
            #expect(try home.program.run(now).status == 0)
            #expect(try home.serials == ["0001"])
        }
    }

    @Test("A download postponed while the clock was ahead is due")
    func ahead() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .status(503, retryAfter: "7200"), .pass(pass))
            _ = try home.imports(server.url("/1.pkpass"))
            let script = """
                import sqlite3, sys
                with sqlite3.connect(sys.argv[1]) as index: index.execute(
                    "UPDATE downloads SET updatedAt = updatedAt + 1e8, nextAttempt = nextAttempt + 1e8")
                """
            let index = home.home.library.appendingPathComponent("library.sqlite").path
            let changed = try home.program.execute(
                "/usr/bin/python3", ["-c", script, index], input: Data())
            try #require(changed.status == 0, "\(changed.errors)")
            let due = ["downloads", "resume", "--due"] + (try FetchingHome.options)
            #expect(try home.program.run(due).status == 0)
            #expect(try home.serials == ["0001"])
        }
    }

    @Test("Responses that are not HTTP, or too large")
    func noHTTP() async throws {
        for answer in [
            Answer.raw("SSH-2.0-OpenSSH_9.2\r\n".utf8),
            Answer.bytes("x".utf8).headerBomb(8_000_000),
            Answer.raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello".utf8),
        ] {
            let home = try FetchingHome()
            defer { home.remove() }
            try await LoopbackServer.run { server in
                server.serve("/1.pkpass", answer)
                let result = try home.imports(server.url("/1.pkpass"))
                #expect(result.status == 2, "\(result.output) \(result.errors)")
                #expect(result.problems.map(\.code) == ["fetch-http"], "\(result.output)")
                #expect(try home.serials == [])
            }
        }
    }

    @Test("A body larger than --max-size, with or without a declared length")
    func size() async throws {
        for answer in [Answer.generated(3 << 20), Answer.generated(3 << 20).chunked()] {
            let home = try FetchingHome()
            defer { home.remove() }
            try await LoopbackServer.run { server in
                server.serve("/1.pkpass", answer)
                let result = try home.imports(server.url("/1.pkpass"), "--max-size", "2")
                #expect(result.status == 2)
                #expect(result.problems.map(\.code) == ["fetch-size"], "\(result.output)")
                #expect(server.requests.count == 1)
            }
        }
    }
}
