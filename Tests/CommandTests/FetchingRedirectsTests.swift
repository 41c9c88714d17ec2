import Foundation
import Loopback
import Testing

@Suite("Harmless redirects are followed")
struct FetchingRedirectsTests {
    @Test("From path to path and from host to host", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            try await LoopbackServer.run { other in
                server.serve("/a/1", .redirect(to: "../b/2?x=%20#part", status))
                server.serve("/b/2", .redirect(to: other.url("/3", host: "localhost"), status))
                other.serve("/3", .pass(pass))
                let result = try home.imports(server.url("/a/1"))
                #expect(result.status == 0, "\(result.output)")
                #expect(try home.serials == ["0001"])
                #expect(server.requests.map(\.target) == ["/a/1", "/b/2?x=%20"])
                #expect(other.requests.map(\.target) == ["/3"])
            }
        }
    }

    @Test("Redirect loops and long chains end")
    func endless() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/circle", .redirect(to: "/circle"))
            server.serve(under: "/way/") { request in
                .redirect(to: "/way/\((Int(request.path.dropFirst(5)) ?? 0) + 1)")
            }
            for path in ["/circle", "/way/1"] {
                let result = try home.imports(server.url(path))
                #expect(result.status == 2)
                #expect(result.problems.map(\.code) == ["fetch-redirect"], "\(result.output)")
            }
            #expect(server.requests(for: "/circle").count == 1)
            #expect(server.requests.count <= 12)
        }
    }

    /// The server is on loopback, which is allowed for a proxy. The redirects use names.
    @Test(
        "Redirects to private addresses are refused",
        arguments: [
            "http://127.0.0.1:9/", "http://169.254.169.254/latest/meta-data/", "http://[::1]:9/",
            "http://0x7f.1:9/", "http://2130706433:9/", "http://[::ffff:127.0.0.1]:9/",
            "http://10.0.0.1/", "http://localhost:9/", "http://0.0.0.0:9/",
        ])
    func forbidden(location: String) async throws {
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .redirect(to: location))
            try await LoopbackProxy.run(ports: ["tickets.example": server.port]) { proxy in
                let home = try FetchingHome(environment: ["http_proxy": proxy.url])
                defer { home.remove() }
                let words = ["import", "--json", "--allow-http", "http://tickets.example/1.pkpass"]
                let result = try home.program.run(words)
                #expect(result.status == 2)
                #expect(result.problems.map(\.code) == ["fetch-address"], "\(result.output)")
                #expect(server.requests.count == 1)
                #expect(proxy.inquiries.count == 1)
            }
        }
    }

    @Test("Direct requests to private addresses are refused")
    func direct() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass("x".utf8))
            for host in ["127.0.0.1", "localhost", "0x7f000001", "127.1"] {
                let words = ["import", "--json", "--allow-http"]
                let result = try home.program.run(words + [server.url("/1.pkpass", host: host)])
                #expect(result.status == 2)
                #expect(result.problems.map(\.code) == ["fetch-address"], "\(result.output)")
                #expect(result.problems.first?.detail.contains("--allow-private") == true)
            }
            #expect(server.connections == 0)
        }
    }

    @Test("Redirects to http are followed only if allowed, those to other schemes never")
    func schemes() async throws {
        try await LoopbackServer.run(certificate: try ServerCertificate()) { secure in
            try await LoopbackServer.run { plain in
                plain.serve("/1.pkpass", .pass("x".utf8))
                secure.serve("/down", .redirect(to: plain.url("/1.pkpass")))
                secure.serve("/file", .redirect(to: "file:///etc/passwd"))
                secure.serve("/data", .redirect(to: "data:text/plain,x"))
                for (path, code) in [
                    ("/down", "fetch-insecure"), ("/file", "fetch-redirect"),
                    ("/data", "fetch-redirect"),
                ] {
                    let home = try FetchingHome()
                    defer { home.remove() }
                    let words = ["import", "--json", "--allow-private", secure.url(path)]
                    let result = try home.program.run(words)
                    #expect(result.status == 2)
                    #expect(result.problems.map(\.code) == [code], "\(result.output)")
                }
                #expect(plain.connections == 0)
                let home = try FetchingHome()
                defer { home.remove() }
                let words = ["import", "--json", "--allow-private", plain.url("/1.pkpass")]
                let result = try home.program.run(words)
                #expect(result.problems.map(\.code) == ["fetch-insecure"], "\(result.output)")
                #expect(plain.connections == 0)
            }
        }
    }

    @Test("A user name and password in the URL are sent to its host only and never printed")
    func credentials() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run { server in
            try await LoopbackServer.run { other in
                server.serve("/1", .redirect(to: "/2"))
                server.serve("/2", .redirect(to: other.url("/3")))
                other.serve("/3", .redirect(to: server.url("/4")))
                server.serve("/4", .status(404))
                let url = "http://ada:s3cret@\(server.authority())/1"
                let result = try home.imports(url)
                #expect(result.status == 2)
                // ada:s3cret
                let basic = "Basic YWRhOnMzY3JldA=="
                #expect(server.requests(for: "/1").map { $0["Authorization"] } == [basic])
                #expect(server.requests(for: "/2").map { $0["Authorization"] } == [basic])
                #expect(other.requests.map { $0["Authorization"] } == [nil])
                #expect(server.requests(for: "/4").map { $0["Authorization"] } == [nil])
                #expect(!result.output.contains("s3cret") && !result.errors.contains("s3cret"))
                let listed = try home.program.run(["downloads", "list", "--all", "--json"])
                #expect(!listed.output.contains("s3cret"))
            }
        }
    }
}
