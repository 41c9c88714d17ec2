import Fetching
import Loopback
import Testing

@Suite("The program continues whatever a server sends")
struct HostileServerTests {
    @Test(
        "data that is not HTTP",
        arguments: [
            "", "\r\n\r\n", "SSH-2.0-OpenSSH_9.2p1\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 xxx\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX\u{0}: x\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\nxx",
            "HTTP/1.1 99999 What\r\n\r\n", "HTTP/9.9 200 OK\r\nContent-Length: 5\r\n\r\nx",
            "HTTP/1.1 302 Found\r\nLocation: \u{1}\u{2}\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\n\r\n",
        ])
    func notHTTP(text: String) async throws {
        try await LoopbackServer.run { server in
            server.serve("/bad", .raw(text.utf8))
            server.serve("/good", .bytes("x".utf8))
            let program = try FetchProgram()
            #expect(try program.fetch(server.url("/bad")).failure != nil)
            #expect(try program.fetch(server.url("/good")).size == 1)
        }
    }

    @Test(
        "an absurd length",
        arguments: [
            "200 OK\r\nContent-Length: 999999999999999999",
            "206 Partial Content\r\nContent-Range: bytes 0-9/999999999999999999",
            "206 Partial Content\r\nContent-Range: bytes 0-999999999999999998/999999999999999999",
            "206 Partial Content\r\nContent-Range: bytes 0-999999999999999999/*",
        ])
    func size(head: String) async throws {
        try await LoopbackServer.run { server in
            server.serve("/bad", .raw("HTTP/1.1 \(head)\r\n\r\nx".utf8))
            server.serve("/good", .bytes("x".utf8))
            let program = try FetchProgram()
            let failure = try program.fetch(server.url("/bad")).failure
            #expect(failure?.code == .size)
            guard case .tooLarge(_, let size?, _) = failure?.reason else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(999_999_999_999_999_999...1_000_000_000_000_000_000 ~= size)
            #expect(try program.fetch(server.url("/good")).size == 1)
        }
    }

    @Test("endless header fields", arguments: [100_000, 3_000_000])
    func headerBomb(size: Int) async throws {
        try await LoopbackServer.run { server in
            let line = "X: \(String(repeating: "x", count: size))\r\n"
            server.serve("/line", .raw("HTTP/1.1 200 OK\r\n\(line)\r\n".utf8))
            let lines = (0..<size / 10).map { "X\($0): y\r\n" }.joined()
            server.serve("/lines", .raw("HTTP/1.1 200 OK\r\n\(lines)\r\n".utf8))
            server.serve("/good", .bytes("x".utf8))
            let program = try FetchProgram()
            #expect(try program.fetch(server.url("/line")).failure?.code == .http)
            #expect(try program.fetch(server.url("/lines")).failure?.code == .http)
            #expect(try program.fetch(server.url("/good")).size == 1)
        }
    }

    @Test("the same length in thousands of fields, in time proportional to them")
    func lengths() async throws {
        try await LoopbackServer.run { server in
            let lines = String(repeating: "Content-Length: 2\r\n", count: 3000)
            server.serve("/", .raw("HTTP/1.1 200 OK\r\n\(lines)\r\nxy".utf8))
            let program = try FetchProgram()
            #expect(try program.fetch(server.url()).size == 2)
        }
    }

    @Test("endless fields after a body")
    func trailers() async throws {
        try await LoopbackServer.run { server in
            let fields = String(repeating: "X-a: b\r\n", count: 1_000_000)
            server.serve(
                "/",
                .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(fields)".utf8))
            let program = try FetchProgram()
            #expect(try program.fetch(server.url()).failure?.reason == .longAnswer)
        }
    }

    @Test("the endless refusal of a proxy does not delay other requests for long")
    func refusal() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            try await LoopbackProxy.run(credentials: "x", endlessRefusals: true) { proxy in
                var configuration = FetchProgram.configuration
                configuration.idleTimeout = 1
                configuration.proxies = ["https_proxy": "http://u:p@127.0.0.1:\(proxy.port)"]
                let program = try FetchProgram(configuration)
                var request = FetchRequest(
                    id: 1, url: "https://passes.example/", file: "flood", FetchProgram.terms)
                try program.send(FetchOrder.get(request))
                request = FetchRequest(id: 2, url: server.url(), file: "body", FetchProgram.terms)
                try program.send(FetchOrder.get(request))
                var ended: Set<Int64> = []
                var failure: FetchFailure?
                while ended.count < 2, let event = try program.next() {
                    switch event {
                    case .finished(let id, _): ended.insert(id)
                    case .failed(let id, let reason):
                        ended.insert(id)
                        if id == 2 { failure = reason }
                    default: break
                    }
                }
                #expect(ended == [1, 2])
                // All connections are closed; a request that was not answered yet is tried again.
                if let failure {
                    #expect(failure.isTransient, "\(failure)")
                } else {
                    #expect(program.contents() == Array("x".utf8))
                }
            }
        }
    }

    @Test("the endless body of an error is not read")
    func endlessError() async throws {
        try await LoopbackServer.run { server in
            var answer = Answer.generated(nil).chunked()
            answer.status = 404
            server.serve("/endless", answer)
            answer.bytesPerSecond = 100
            server.serve("/slow", answer)
            let program = try FetchProgram()
            #expect(try program.fetch(server.url("/endless")).failure?.status == 404)
            #expect(try program.fetch(server.url("/slow")).failure?.status == 404)
        }
    }
}
