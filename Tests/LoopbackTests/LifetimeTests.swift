import Foundation
import Loopback
import Testing

@Suite("The server runs as long as the test's scope")
struct LifetimeTests {
    private struct Thrown: Error {}

    /// Exit code 7: the connection is refused.
    @Test("it is stopped afterwards, even if the test throws")
    func ends() async throws {
        var url = ""
        await #expect(throws: Thrown.self) {
            try await LoopbackServer.run { server in
                url = server.url()
                server.serve("/", .bytes("x".utf8))
                #expect(try Curl(url).status == 0)
                throw Thrown()
            }
        }
        #expect(try Curl(url).status == 7)
    }

    @Test("it stops even while it is sending an endless answer or waiting")
    func endsInTheMiddle() async throws {
        let processes = try await LoopbackServer.run { server in
            server.serve("/endless", .generated(nil))
            server.serve("/stalled", Answer.generated(100).stalled(after: 10))
            server.serve("/late", Answer.generated(100).delayed(.seconds(3600)))
            let processes = try ["/endless", "/stalled", "/late"].map { path in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
                process.arguments = ["-q", "-s", "-o", "/dev/null", server.url(path)]
                process.environment = [:]
                try process.run()
                return process
            }
            try await server.waits { $0.count == 3 }
            #expect(server.mostAtOnce == 3)
            #expect(server.openConnections == 3)
            return processes
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus != 0)
        }
    }

    @Test("it records which connection made each request")
    func record() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            _ = try Curl("-H", "X-Mark: 1", server.url(), server.url(), "-o", "/dev/null")
            _ = try Curl("-X", "POST", "-d", "hello", server.url("/posted?a=b"))
            #expect(server.requests.map(\.connection) == [0, 0, 1])
            #expect(server.requests.map(\.method) == ["GET", "GET", "POST"])
            #expect(server.requests.map(\.status) == [200, 200, 404])
            #expect(server.requests.first?["x-mark"] == "1")
            #expect(server.requests.last?.target == "/posted?a=b")
            #expect(server.connections == 2)
            #expect(server.gaps(for: "/").count == 1)
            #expect(server.mostAtOnce == 1)
        }
    }
}
