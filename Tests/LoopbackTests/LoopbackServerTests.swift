import Foundation
import Loopback
import Testing

@Suite("The server on loopback answers as the test configures")
struct LoopbackServerTests {
    @Test("with a body, and with the given fields")
    func body() async throws {
        try await LoopbackServer.run { server in
            server.serve(
                "/a b.pkpass",
                .bytes("ticket".utf8, type: "x/y", disposition: "attachment; filename=\"ü\"")
                    .tagged("\"1\""))
            let answer = try Curl(server.url("/a%20b.pkpass?x=1"))
            #expect(answer.status == 0)
            #expect(answer.code == 200)
            #expect(answer.body == Data("ticket".utf8))
            #expect(answer["Content-Type"] == "x/y")
            #expect(answer["Content-Disposition"] == "attachment; filename=\"ü\"")
            #expect(answer["ETag"] == "\"1\"")
            #expect(answer["Content-Length"] == "6")
            #expect(try Curl(server.url("/other")).code == 404)
            #expect(try Curl("--head", server.url("/a%20b.pkpass"))["Content-Length"] == "6")
        }
    }

    @Test(
        "with ranges",
        arguments: [
            (["-r", "2-4"], 206, "234", "bytes 2-4/10"),
            (["-r", "7-"], 206, "789", "bytes 7-9/10"),
            (["-r", "7-99"], 206, "789", "bytes 7-9/10"),
            (["-r", "-2"], 206, "89", "bytes 8-9/10"),
            (["-r", "10-"], 416, "", "bytes */10"),
            (["-r", "1-2,4-5"], 200, "0123456789", nil),
            (["-r", "5-", "-H", "If-Range: \"1\""], 206, "56789", "bytes 5-9/10"),
            (["-r", "5-", "-H", "If-Range: \"2\""], 200, "0123456789", nil),
            (["-r", "5-", "-H", "If-Range: W/\"1\""], 200, "0123456789", nil),
            (
                ["-r", "5-", "-H", "If-Range: Tue, 14 Nov 2023 22:13:20 GMT"], 206, "56789",
                "bytes 5-9/10"
            ),
            (
                ["-r", "5-", "-H", "If-Range: Tue, 14 Nov 2023 22:13:21 GMT"], 200, "0123456789",
                nil
            ),
        ] as [([String], Int, String, String?)])
    func ranges(arguments: [String], code: Int, body: String, range: String?) async throws {
        try await LoopbackServer.run { server in
            let answer = Answer.bytes("0123456789".utf8).tagged("\"1\"")
                .modified(Date(timeIntervalSince1970: 1_700_000_000))
            server.serve("/ranges", answer.ranges())
            server.serve("/none", answer)
            let part = try Curl(arguments + [server.url("/ranges")])
            #expect(part.code == code)
            #expect(String(decoding: part.body, as: UTF8.self) == body)
            #expect(part["Content-Range"] == range)
            let whole = try Curl(arguments + [server.url("/none")])
            #expect(whole.code == 200)
            #expect(whole.body.count == 10)
        }
    }

    @Test("with a status and its fields")
    func statuses() async throws {
        try await LoopbackServer.run { server in
            server.serve("/busy", .status(503, retryAfter: "7"), .bytes("ready".utf8))
            let busy = try Curl(server.url("/busy"))
            #expect(busy.code == 503)
            #expect(busy["Retry-After"] == "7")
            #expect(try Curl(server.url("/busy")).code == 200)
            #expect(try Curl(server.url("/busy")).code == 200)

            server.serve("/guarded", .bytes("secret".utf8).guarded(by: "abc"))
            #expect(try Curl(server.url("/guarded")).code == 401)
            let token = "Authorization: ApplePass abc"
            #expect(try Curl("-H", token, server.url("/guarded")).body == Data("secret".utf8))
        }
    }

    @Test("304 if the client's copy is current")
    func unchanged() async throws {
        try await LoopbackServer.run { server in
            server.serve(
                "/a",
                .bytes("ticket".utf8).modified(Date(timeIntervalSince1970: 1_700_000_000.7)))
            let first = try Curl(server.url("/a"))
            #expect(first["Last-Modified"] == "Tue, 14 Nov 2023 22:13:20 GMT")
            for (date, code) in [
                ("Tue, 14 Nov 2023 22:13:20 GMT", 304), ("Tue, 14 Nov 2023 22:13:19 GMT", 200),
                ("Wed, 15 Nov 2023 22:13:19 GMT", 304), ("yesterday", 200),
            ] {
                let again = try Curl("-H", "If-Modified-Since: \(date)", server.url("/a"))
                #expect(again.code == code, "\(date)")
                #expect(again.body.count == (code == 304 ? 0 : 6))
            }
        }
    }

    @Test("with redirects, including loops")
    func redirects() async throws {
        try await LoopbackServer.run { server in
            server.serve("/1", .redirect(to: "2"))
            server.serve("/2", .redirect(to: server.url("/3", host: "localhost"), 307))
            server.serve("/3", .bytes("there".utf8))
            server.serve("/circle", .redirect(to: "/circle"))
            let chain = try Curl("-L", server.url("/1"))
            #expect(chain.body == Data("there".utf8))
            #expect(server.requests.last?["Host"] == "localhost:\(server.port)")
            // Exit code 47: too many redirects.
            #expect(try Curl("-L", "--max-redirs", "5", server.url("/circle")).status == 47)
            #expect(server.requests(for: "/circle").count == 6)
        }
    }

    @Test("on the IPv6 loopback address")
    func version6() async throws {
        try await LoopbackServer.run(on: "::1") { server in
            server.serve("/", .bytes("six".utf8))
            #expect(server.url() == "http://[::1]:\(server.port)/")
            let answer = try Curl(server.url())
            #expect(answer.body == Data("six".utf8))
        }
    }

    @Test("with passes at the paths of a web service")
    func webService() async throws {
        try await LoopbackServer.run { server in
            server.serve(
                type: "pass.x", serial: "a/b c", at: "/service", .pass("zip".utf8).guarded(by: "t"))
            let pass = try Curl(
                "-H", "Authorization: ApplePass t",
                server.url("/service/v1/passes/pass.x/a%2Fb%20c"))
            #expect(pass.body == Data("zip".utf8))
            #expect(pass["Content-Type"] == "application/vnd.apple.pkpass")
        }
    }
}
