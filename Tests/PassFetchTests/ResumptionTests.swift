import Fetching
import Foundation
import Loopback
import Testing

/// Expected: RFC 9110, 13.1.5 and 14.
@Suite("A partial body is kept if the server resumes it, and replaced otherwise")
struct ResumptionTests {
    private let body = GeneratedBody(seed: 9).bytes(in: 0..<100_000)

    private func part(_ tag: String = "\"1\"", _ offset: Int = 40_000) -> FetchRequest.Resumption {
        FetchRequest.Resumption(offset: offset, validator: tag)
    }

    @Test("the rest is requested and appended")
    func rest() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(100_000, seed: 9).ranges().tagged("\"1\""))
            let program = try FetchProgram()
            try program.write(Array(body.prefix(40_000)))
            let outcome = try program.fetch(server.url()) { $0.resumption = part() }
            #expect(outcome.size == 100_000)
            #expect(outcome.responses.map(\.offset) == [40_000])
            #expect(outcome.responses.map(\.size) == [100_000])
            #expect(program.contents() == body)
            let request = try #require(server.requests.first)
            #expect(request["Range"] == "bytes=40000-")
            #expect(request["If-Range"] == "\"1\"")
            #expect(request.status == 206)
            #expect(request.sent == 60_000)
        }
    }

    @Test("bytes after the offset are discarded")
    func longer() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(100_000, seed: 9).ranges().tagged("\"1\""))
            let program = try FetchProgram()
            try program.write(Array(body.prefix(40_000)) + Array(repeating: 0, count: 90_000))
            #expect(try program.fetch(server.url()) { $0.resumption = part() }.size == 100_000)
            #expect(program.contents() == body)
        }
    }

    @Test("a changed body replaces it")
    func changed() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(100_000, seed: 9).ranges().tagged("\"2\""))
            let program = try FetchProgram()
            try program.write(Array(repeating: 0, count: 40_000))
            let outcome = try program.fetch(server.url()) { $0.resumption = part() }
            #expect(outcome.size == 100_000)
            #expect(outcome.responses.map(\.offset) == [0])
            #expect(program.contents() == body)
        }
    }

    @Test("the whole body from a server without ranges replaces it")
    func noRanges() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(100_000, seed: 9).tagged("\"1\""))
            let program = try FetchProgram()
            try program.write(Array(repeating: 0, count: 40_000))
            #expect(try program.fetch(server.url()) { $0.resumption = part() }.size == 100_000)
            #expect(program.contents() == body)
        }
    }

    @Test(
        "a response that does not match leads to one more request, from the start",
        arguments: [
            "206 Partial Content\r\nContent-Range: bytes 39999-99999/100000",
            "206 Partial Content\r\nContent-Range: bytes 40000-99999/100000\r\nETag: \"2\"",
            "206 Partial Content",
            "416 Range Not Satisfiable\r\nContent-Range: bytes */100",
        ])
    func unfit(head: String) async throws {
        try await LoopbackServer.run { server in
            server.serve(
                "/", .raw("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n".utf8),
                .generated(100_000, seed: 9))
            let program = try FetchProgram()
            try program.write(Array(repeating: 0, count: 40_000))
            let outcome = try program.fetch(server.url()) { $0.resumption = part() }
            #expect(outcome.size == 100_000)
            #expect(program.contents() == body)
            #expect(server.requests.map { $0["Range"] } == ["bytes=40000-", nil])
        }
    }

    @Test(
        "a date is used as a validator too",
        arguments: [
            ("Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT", false), ("ETag: \"2\"", false),
            ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", true), ("X: y", true),
        ])
    func dates(field: String, fits: Bool) async throws {
        try await LoopbackServer.run { server in
            let head =
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 40000-99999/100000\r\n"
                + "Content-Length: 60000\r\n\(field)\r\n\r\n"
            let part = fits ? Array(body.dropFirst(40_000)) : Array(repeating: 1, count: 60_000)
            server.serve(
                "/", .raw(Array(head.utf8) + part), .generated(100_000, seed: 9))
            let program = try FetchProgram()
            try program.write(Array(body.prefix(40_000)))
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            let outcome = try program.fetch(server.url()) { $0.resumption = self.part(date) }
            #expect(program.contents() == body)
            #expect(server.requests.count == (fits ? 1 : 2))
            #expect(outcome.responses.first?.validator == (fits ? date : nil))
        }
    }

    @Test("everything is fetched if the file is shorter than the offset")
    func shorter() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(100_000, seed: 9).ranges().tagged("\"1\""))
            let program = try FetchProgram()
            try program.write(Array(body.prefix(39_999)))
            #expect(try program.fetch(server.url()) { $0.resumption = part() }.size == 100_000)
            #expect(program.contents() == body)
            #expect(server.requests.map { $0["Range"] } == [nil])
        }
    }

    @Test("a body arrives in several responses, each from the end of the previous one")
    func pieces() async throws {
        try await LoopbackServer.run { server in
            let whole = Answer.generated(100_000, seed: 9).ranges().tagged("\"1\"")
            server.serve("/", whole.cut(after: 30_000), whole.cut(after: 30_000), whole)
            let program = try FetchProgram()
            var outcome = try program.fetch(server.url())
            for _ in 0..<2 {
                #expect(outcome.failure?.code == .cut)
                let validator = try #require(outcome.responses.first?.validator)
                let there = try #require(program.contents()).count
                outcome = try program.fetch(server.url()) { request in
                    request.resumption = part(validator, there)
                }
            }
            #expect(outcome.size == 100_000)
            #expect(program.contents() == body)
            #expect(server.requests.map(\.status) == [200, 206, 206])
        }
    }
}
