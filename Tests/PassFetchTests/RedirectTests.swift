import Fetching
import Loopback
import PassFixtures
import Testing

@Suite("Redirects are followed within limits, and secrets stay with their server")
struct RedirectTests {
    @Test("each kind of redirect", arguments: [301, 302, 303, 307, 308])
    func kinds(status: Int) async throws {
        try await LoopbackServer.run { server in
            server.serve("/a/b", .redirect(to: "../c?d", status))
            server.serve("/c", .bytes("there".utf8))
            let program = try FetchProgram()
            let outcome = try program.fetch(server.url("/a/b"))
            #expect(outcome.size == 5)
            #expect(outcome.responses.first?.url == server.url("/c?d"))
        }
    }

    @Test("bytes beyond ASCII are percent-encoded, in whatever encoding they are")
    func bytes() async throws {
        try await LoopbackServer.run { server in
            for (path, name) in [
                ("/utf8", Array("caf\u{E9}".utf8)), ("/latin1", [99, 97, 102, 0xE9]),
            ] {
                let head = Array("HTTP/1.1 302 Found\r\nLocation: /".utf8) + name
                server.serve(path, .raw(head + "\r\nContent-Length: 0\r\n\r\n".utf8))
                _ = try FetchProgram().fetch(server.url(path))
            }
            #expect(
                server.requests.map(\.target) == ["/utf8", "/caf%C3%A9", "/latin1", "/caf%E9"])
        }
    }

    @Test("loops and long chains end")
    func loops() async throws {
        try await LoopbackServer.run { server in
            server.serve("/a", .redirect(to: "/b"))
            server.serve("/b", .redirect(to: "/a#again"))
            server.serve(under: "/n/") { request in
                .redirect(to: "/n/\((Int(request.path.dropFirst(3)) ?? 0) + 1)")
            }
            var configuration = FetchProgram.configuration
            configuration.maximumRedirects = 4
            let program = try FetchProgram(configuration)
            #expect(try program.fetch(server.url("/a")).failure?.code == .redirect)
            #expect(server.requests.count == 2)
            let endless = try program.fetch(server.url("/n/0"))
            #expect(endless.failure?.code == .redirect)
            #expect(endless.failure?.isTransient == false)
            #expect(server.requests.count == 2 + 5)
        }
    }

    @Test("cookies last for one chain of redirects, and go to their server only")
    func cookies() async throws {
        try await LoopbackServer.run { home in
            try await LoopbackServer.run { other in
                home.serve(under: "/t/") { request in
                    request["Cookie"] == "seen=1"
                        ? .bytes("there".utf8)
                        : .redirect(to: "/t/1").field("Set-Cookie", "seen=1; Max-Age=60")
                }
                home.serve("/away", .redirect(to: other.url("/")).field("Set-Cookie", "a=b"))
                other.serve("/", .bytes("x".utf8))
                let program = try FetchProgram()
                for _ in 1...2 { #expect(try program.fetch(home.url("/t/1")).size == 5) }
                let sent = home.requests.map { $0["Cookie"] }
                #expect(sent == [nil, "seen=1", nil, "seen=1"])
                // Cookies do not tell ports apart, but hosts.
                let host = home.url("/away").replacing("127.0.0.1", with: "localhost")
                #expect(try program.fetch(host).size == 1)
                #expect(other.requests.map { $0["Cookie"] } == [nil])
            }
        }
    }

    @Test("a server that always sets the same cookie redirects in a circle")
    func sameCookie() async throws {
        try await LoopbackServer.run { server in
            server.serve("/a", .redirect(to: "/a").field("Set-Cookie", "a=1; Max-Age=60"))
            let outcome = try FetchProgram().fetch(server.url("/a"))
            #expect(outcome.failure?.code == .redirect)
            #expect(server.requests.count == 2)
        }
    }

    @Test("the token is not sent to another server, nor to the first one after a redirect back")
    func token() async throws {
        try await LoopbackServer.run { home in
            try await LoopbackServer.run { other in
                home.serve("/start", .redirect(to: "/second"))
                home.serve("/second", .redirect(to: other.url("/third")))
                other.serve("/third", .redirect(to: home.url("/fourth")))
                home.serve("/fourth", .bytes("x".utf8))
                let program = try FetchProgram()
                let outcome = try program.fetch(home.url("/start")) {
                    $0.authenticationToken = "secret"
                }
                #expect(outcome.size == 1)
                let sent = home.requests.map { $0["Authorization"] }
                #expect(sent == ["ApplePass secret", "ApplePass secret", nil])
                #expect(other.requests.map { $0["Authorization"] } == [nil])
            }
        }
    }

    @Test("a user name and password in a URL are sent to its server only, and never printed")
    func credentials() async throws {
        try await LoopbackServer.run { home in
            try await LoopbackServer.run { other in
                home.serve("/", .redirect(to: other.url("/")))
                other.serve("/", .status(404))
                let url = home.url("/").replacing("http://", with: "http://user:secret@")
                let outcome = try FetchProgram().fetch(url)
                #expect(outcome.failure?.status == 404)
                #expect(!"\(outcome.failure, default: "")".contains("secret"))
                // `printf user:secret | base64`
                #expect(home.requests.map { $0["Authorization"] } == ["Basic dXNlcjpzZWNyZXQ="])
                #expect(other.requests.map { $0["Authorization"] } == [nil])
            }
        }
    }

    @Test("from https to http only if allowed")
    func downgrade() async throws {
        let certificate = try ServerCertificate()
        try await LoopbackServer.run(certificate: certificate) { secure in
            try await LoopbackServer.run { plain in
                secure.serve("/", .redirect(to: plain.url("/")))
                plain.serve("/", .bytes("x".utf8))
                var configuration = FetchProgram.configuration
                configuration.authorities = try ServerAuthority.path
                let program = try FetchProgram(configuration)
                let refused = try program.fetch(secure.url("/")) { $0.terms.allowsHTTP = false }
                #expect(refused.failure?.code == .insecure)
                #expect(plain.requests.isEmpty)
                #expect(try program.fetch(secure.url("/")).size == 1)
            }
        }
    }

    @Test(
        "not to an invalid URL or another scheme",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/", "http://user:secret@127.0.0.1/", "http://",
            "data:,x", "http://[::1", "//",
        ])
    func refused(location: String) async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .redirect(to: location))
            let program = try FetchProgram()
            #expect(try program.fetch(server.url()).failure?.code == .redirect)
        }
    }
}
