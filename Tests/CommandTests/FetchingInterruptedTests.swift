import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("A command removes its temporary downloads however it ends")
struct FetchingInterruptedTests {
    private var home: FetchingHome

    init() throws {
        home = try FetchingHome()
        let folder = home.home.path("temporary")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        home.program.environment["TMPDIR"] = folder
    }

    private var leftBehind: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: home.home.path("temporary"))
        }
    }

    /// Starts a command that downloads a large file, and waits until some bytes have arrived.
    private func begin(
        _ command: String, beside others: Int = 0, at server: LoopbackServer
    ) async throws -> Started {
        let pass = try FetchingHome.pass("0001") { $0.picture = 1_000_000 }
        server.serve("/slow.pkpass", .pass(pass).paced(bytesPerSecond: 50_000))
        let run = try Started(
            home.program, [command, server.url("/slow.pkpass")] + (try FetchingHome.options))
        try await server.waits { $0.contains { $0.sent > 0 } }
        #expect(try leftBehind.count == others + 1)
        return run
    }

    @Test(
        "after a signal, which ends it as usual",
        arguments: [("scan", SIGINT), ("scan", SIGTERM), ("open", SIGINT), ("open", SIGHUP)])
    func signalled(command: String, signal: Int32) async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            let run = try await begin(command, at: server)
            kill(run.process.processIdentifier, signal)
            #expect(try run.finish().status == 128 + signal)
            #expect(try leftBehind == [])
        }
    }

    @Test("before it asks a question, where Ctrl-C works as usual")
    func question() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/small.pkpass", .pass(try FetchingHome.pass("0002")))
            let result = try home.program.onTerminal(
                ["open", server.url("/small.pkpass")] + (try FetchingHome.options),
                typing: "\u{3}")
            #expect(result.status == 128 + SIGINT)
            #expect(result.output.contains("[y/N]") && !result.output.contains("Not added"))
            #expect(try leftBehind == [])
        }
    }

    @Test("in the next command, if it was killed")
    func killed() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            let run = try await begin("scan", at: server)
            kill(run.process.processIdentifier, SIGKILL)
            #expect(try run.finish().status == 128 + SIGKILL)
            try await server.waits { $0.last?.end != nil }
            #expect(try leftBehind.count == 1)
            server.serve("/small.pkpass", .pass(try FetchingHome.pass("0002")))
            let scanned = try home.program.run(
                ["scan", server.url("/small.pkpass")] + (try FetchingHome.options))
            #expect(scanned.status == 0, "\(scanned.errors)")
            #expect(try leftBehind == [])
        }
    }

    @Test("but keeps folders that are in use or may belong to another program")
    func others() async throws {
        defer { home.remove() }
        let folder = URL(fileURLWithPath: home.home.path("temporary"))
        // Folders with another name, without a lock, readable by others, and a link.
        let names = ["longer-name", "abcde1", "abcde2", "abcde3"].map { "passconduit-fetch-\($0)" }
        for (name, mode) in zip(names, [0o700, 0o700, 0o755]) {
            let path = folder.appendingPathComponent(name).path
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: mode])
            let file = name.hasSuffix("1") ? "body" : "lock"
            try Data().write(to: folder.appendingPathComponent("\(name)/\(file)"))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent(names[3]).path, withDestinationPath: names[0])
        try await LoopbackServer.run { server in
            let run = try await begin("scan", beside: names.count, at: server)
            server.serve("/small.pkpass", .pass(try FetchingHome.pass("0002")))
            let scanned = try home.program.run(
                ["scan", server.url("/small.pkpass")] + (try FetchingHome.options))
            #expect(scanned.status == 0, "\(scanned.errors)")
            #expect(try leftBehind.count == names.count + 1)
            kill(run.process.processIdentifier, SIGTERM)
            _ = try run.finish()
            #expect(try leftBehind.sorted() == names.sorted())
        }
    }
}
