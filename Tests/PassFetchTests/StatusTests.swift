import Fetching
import Loopback
import PassDetection
import Testing

@Suite("A response without a body is reported by its kind")
struct StatusTests {
    @Test("with its status and Retry-After")
    func statuses() async throws {
        try await LoopbackServer.run { server in
            server.serve("/gone", .status(410))
            server.serve("/busy", .status(503, retryAfter: "120"))
            let program = try FetchProgram()
            let gone = try #require(try program.fetch(server.url("/gone")).failure)
            #expect(gone.status == 410)
            #expect(!gone.isTransient)
            let busy = try #require(try program.fetch(server.url("/busy")).failure)
            #expect(busy.status == 503)
            #expect(busy.isTransient)
            #expect(busy.retryAfter == 120)
            #expect(try program.fetch(server.url("/nothing")).failure?.status == 404)
            #expect(program.contents() == nil)
        }
    }

    /// Requests a pass from a web service with If-Modified-Since and `ApplePass TOKEN`.
    @Test("an unchanged pass is not sent again")
    func notModified() async throws {
        try await LoopbackServer.run { server in
            server.serve("/pass", Answer.status(304).guarded(by: "secret token"))
            let program = try FetchProgram()
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            let outcome = try program.fetch(server.url("/pass")) { request in
                request.modifiedSince = date
                request.authenticationToken = "secret token"
            }
            #expect(outcome.isNotModified)
            let request = try #require(server.requests.first)
            #expect(request["If-Modified-Since"] == date)
            #expect(request["Authorization"] == "ApplePass secret token")
            #expect(request["User-Agent"] == "passconduit/test")
            #expect(request["Accept-Encoding"] == "identity")
            let types = [UniformType.pass, .passes].compactMap(\.mediaTypes.first)
            #expect(request["Accept"] == (types + ["*/*;q=0.8"]).joined(separator: ", "))
        }
    }

    @Test("one connection serves many requests, whatever the responses")
    func keptAlive() async throws {
        try await LoopbackServer.run { server in
            server.serve("/a", .bytes("x".utf8))
            server.serve("/b", .status(404))
            server.serve("/c", .redirect(to: "/a"))
            let program = try FetchProgram()
            for path in ["/a", "/b", "/c", "/a"] { _ = try program.fetch(server.url(path)) }
            #expect(Set(server.requests.map(\.connection)).count == 1)
        }
    }

    @Test("a token that is not valid in a header is refused and not shown")
    func badToken() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let outcome = try FetchProgram().fetch(server.url()) {
                $0.authenticationToken = "secret\r\nX: y"
            }
            #expect(outcome.failure?.code == .url)
            #expect(!"\(outcome.failure, default: "")".contains("secret"))
            #expect(server.requests.isEmpty)
        }
    }
}
