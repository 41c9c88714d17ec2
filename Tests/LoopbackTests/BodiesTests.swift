import Foundation
import Loopback
import Testing

@Suite("The server's answers can be slow, cut off, endless or invalid HTTP")
struct BodiesTests {
    /// Exit code 18: the transfer ended early.
    @Test(
        "An answer can be cut off after a number of bytes", arguments: [false, true],
        [0, 1, 100_000, 3_000_000])
    func cut(isChunked: Bool, count: Int) async throws {
        try await LoopbackServer.run { server in
            let answer = Answer.generated(4_000_000).cut(after: count)
            server.serve("/", isChunked ? answer.chunked() : answer)
            let result = try Curl(server.url())
            #expect(result.status == 18)
            #expect(result.body == Data(GeneratedBody().bytes(in: 0..<count)))
            #expect(result["Content-Length"] == (isChunked ? nil : "4000000"))
            #expect(server.requests.first?.sent == count)
        }
    }

    @Test("A range can be cut off too, and resumed where it ended")
    func resumed() async throws {
        try await LoopbackServer.run { server in
            server.serve(
                "/", Answer.generated(3_000_000).ranges().cut(after: 1_000_000),
                Answer.generated(3_000_000).ranges())
            let first = try Curl(server.url())
            let rest = try Curl("-r", "\(first.body.count)-", server.url())
            #expect(first.body + rest.body == Data(GeneratedBody().bytes(in: 0..<3_000_000)))
            #expect(server.requests.map(\.sent) == [1_000_000, 2_000_000])
            #expect(server.requests.last?["Range"] == "bytes=1000000-")
        }
    }

    /// Exit code 28: timeout.
    @Test("A stalled answer times out, and the server stops sending when the client disconnects")
    func stalled() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", Answer.generated(4_000_000).stalled(after: 5_000))
            let result = try Curl("--max-time", "1", server.url())
            #expect(result.status == 28)
            #expect(result.body.count == 5_000)
            server.serve("/later", Answer.bytes("x".utf8).delayed(.seconds(60)))
            let silent = try Curl("--max-time", "1", server.url("/later"))
            #expect(silent.status == 28)
            #expect(silent.head == "")
        }
    }

    @Test("An answer can be slow")
    func slow() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", Answer.generated(1_000).paced(bytesPerSecond: 1_000))
            let start = ContinuousClock.now
            let result = try Curl(server.url())
            #expect(result.body.count == 1_000)
            #expect(start.duration(to: .now) >= .milliseconds(900))
        }
    }

    @Test("An answer can be endless without using memory of the server")
    func endless() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(nil))
            let result = try Curl("--max-time", "1", server.url(), keepsBody: false)
            #expect(result.status == 28)
            try await server.waits { $0.first?.end != nil }
            #expect(server.requests[0].sent >= 1_000_000)
        }
    }

    @Test("An answer can be several gigabytes long")
    func huge() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(2 << 30))
            let result = try Curl(server.url(), keepsBody: false)
            #expect(result.status == 0)
            #expect(server.requests.first?.sent == 2 << 30)
        }
    }

    /// Exit code 1: HTTP/0.9 is not supported. 27 and 56: the header is too large for curl.
    @Test("An answer can be invalid HTTP, or only a header")
    func garbage() async throws {
        try await LoopbackServer.run { server in
            server.serve("/garbage", .raw("SSH-2.0-OpenSSH_9.2\r\n".utf8))
            let garbage = try Curl(server.url("/garbage"))
            #expect(garbage.status == 1)
            server.serve("/bomb", .bytes("x".utf8).headerBomb(2_000_000))
            #expect([27, 56].contains(try Curl(server.url("/bomb")).status))
            server.serve("/half", .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".utf8))
            #expect(try Curl(server.url("/half")).status == 18)
        }
    }
}
