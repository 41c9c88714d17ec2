import Fetching
import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("POST and DELETE reach one server, and their answer is a status")
struct SubmissionTests {
    private static let json = #"{"events": true, "text": "\u00fc ü"}"#

    private func request(
        _ method: FetchRequest.Method, _ url: String,
        _ change: (inout FetchRequest) -> Void = { _ in }
    ) -> FetchRequest {
        var request = FetchRequest(id: 3, url: url, file: "", FetchProgram.terms)
        request.method = method
        if method == .post { request.json = SubmissionTests.json }
        request.authenticationToken = "secret"
        change(&request)
        return request
    }

    private func isEmpty(_ folder: URL) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty
    }

    @Test("with the body and the token", arguments: [200, 201, 202, 204])
    func accepted(status: Int) async throws {
        try await LoopbackServer.run { server in
            server.serve("/a", .status(status))
            let program = try FetchProgram()
            let outcome = try program.fetch(request(.post, server.url("/a")))
            #expect(outcome.status == status)
            #expect(outcome.responses.isEmpty)
            let sent = try #require(server.requests.last)
            #expect(sent.method == "POST")
            #expect(sent["Authorization"] == "ApplePass secret")
            #expect(sent["User-Agent"] == "passconduit/test")
            #expect(sent["Expect"] == nil)
            #expect(sent["Content-Type"] == "application/json")
            #expect(sent.body == Array(SubmissionTests.json.utf8))
            #expect(server.requests.count == 1)
            #expect(try isEmpty(program.folder))
        }
    }

    @Test("of the longest body")
    func longest() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .status(201))
            let json = "\"\(String(repeating: "\u{1}", count: FetchRequest.longestJSON - 2))\""
            let program = try FetchProgram()
            let outcome = try program.fetch(request(.post, server.url()) { $0.json = json })
            #expect(outcome.status == 201)
            #expect(server.requests.map(\.body) == [Array(json.utf8)])
            let longer = try program.fetch(request(.post, server.url()) { $0.json = json + " " })
            #expect(longer.failure?.reason == .invalidRequest)
        }
    }

    @Test("a redirect is not followed", arguments: [301, 302, 303, 307, 308])
    func redirected(status: Int) async throws {
        try await LoopbackServer.run { home in
            try await LoopbackServer.run { other in
                home.serve("/own", .redirect(to: "/there", status))
                home.serve("/other", .redirect(to: other.url("/there"), status))
                home.serve("/there", .status(200))
                other.serve("/there", .status(200))
                let program = try FetchProgram()
                for path in ["/own", "/other"] {
                    let outcome = try program.fetch(request(.post, home.url(path)))
                    #expect(
                        outcome.failure?.reason == .redirectNotFollowed(host: home.authority()))
                    #expect(outcome.failure?.code == .redirect)
                    #expect(outcome.failure?.isTransient == false)
                }
                #expect(home.requests.map(\.path) == ["/own", "/other"])
                #expect(other.connections == 0)
            }
        }
    }

    @Test("other statuses are failures, with Retry-After")
    func failures() async throws {
        try await LoopbackServer.run { server in
            server.serve("/401", .status(401))
            server.serve("/304", .status(304))
            server.serve("/503", .status(503, retryAfter: "120"))
            let program = try FetchProgram()
            for (status, delay) in [(401, nil), (304, nil), (404, nil), (503, 120.0)] {
                let failure = try program.fetch(request(.post, server.url("/\(status)")))
                    .failure
                #expect(failure?.status == status)
                #expect(failure?.retryAfter == delay)
            }
        }
    }

    @Test("endless answers are not read")
    func endless() async throws {
        try await LoopbackServer.run { server in
            server.serve("/endless", Answer.generated(nil).chunked())
            server.serve("/slow", Answer.generated(nil).chunked().paced(bytesPerSecond: 100))
            server.serve("/cut", Answer.generated(1000).cut(after: 500))
            let fields = String(
                repeating: "X: \(String(repeating: "x", count: 1000))\r\n", count: 99)
            server.serve("/head", .raw("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8))
            let program = try FetchProgram()
            for path in ["/endless", "/slow", "/cut"] {
                let start = ContinuousClock.now
                let outcome = try program.fetch(request(.post, server.url(path)))
                #expect(outcome.status == 200, "\(path)")
                #expect(ContinuousClock.now - start < .seconds(10))
            }
            let head = try program.fetch(request(.post, server.url("/head")))
            #expect(head.failure?.reason == .longAnswer)
            #expect(try isEmpty(program.folder))
        }
    }

    @Test("a server that does not answer times out")
    func silent() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", Answer.status(200).delayed(.seconds(30)))
            var configuration = FetchProgram.configuration
            configuration.idleTimeout = 0.5
            let silent = try FetchProgram(configuration).fetch(request(.post, server.url()))
            #expect(silent.failure?.reason == .stalled(host: server.authority(), seconds: 0.5))
            configuration.idleTimeout = 30
            configuration.totalTimeout = 0.5
            let late = try FetchProgram(configuration).fetch(request(.post, server.url()))
            #expect(late.failure?.reason == .tooSlow(host: server.authority(), seconds: 0.5))
        }
    }

    @Test("forbidden addresses and http without permission get nothing")
    func rules() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .status(200))
            let program = try FetchProgram()
            for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1"] {
                let outcome = try program.fetch(
                    request(.post, "http://\(host):\(server.port)/") {
                        $0.terms.allowsPrivateAddresses = false
                    })
                #expect(outcome.failure?.code == .address)
            }
            let insecure = try program.fetch(
                request(.post, server.url()) { $0.terms.allowsHTTP = false })
            #expect(insecure.failure?.code == .insecure)
            let token = try program.fetch(
                request(.post, server.url()) { $0.authenticationToken = "secret\r\nX: y" })
            #expect(token.failure?.reason == .unsendableField)
            #expect(server.connections == 0)
        }
    }

    @Test("a server whose certificate is not trusted gets nothing")
    func untrusted() async throws {
        try await LoopbackServer.run(certificate: ServerCertificate(.selfSigned)) { server in
            server.serve("/", .status(200))
            let outcome = try FetchProgram().fetch(request(.post, server.url()))
            #expect(outcome.failure?.code == .tls)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("over HTTP/2 and through proxies")
    func otherWays() async throws {
        let certificate = try ServerCertificate(.good, names: ["passes.example"])
        try await LoopbackServer.run(certificate: certificate, offersHTTP2: true) { secure in
            try await LoopbackServer.run { plain in
                let ports = ["passes.example": secure.port, "plain.example": plain.port]
                // `printf u:p | base64`
                try await LoopbackProxy.run(ports: ports, credentials: "Basic dTpw") { proxy in
                    var configuration = FetchProgram.configuration
                    configuration.authorities = try ServerAuthority.path
                    configuration.proxies = ["all_proxy": "http://u:p@127.0.0.1:\(proxy.port)"]
                    let program = try FetchProgram(configuration)
                    for (server, url) in [
                        (secure, "https://passes.example/"), (plain, "http://plain.example/"),
                    ] {
                        server.serve("/", .status(201))
                        #expect(try program.fetch(request(.post, url)).status == 201)
                        #expect(server.requests.map(\.method) == ["POST"])
                        #expect(
                            server.requests.map(\.body).first == Array(SubmissionTests.json.utf8))
                        #expect(server.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
                    }
                    #expect(secure.requests.allSatisfy { $0.isHTTP2 })
                }
            }
        }
    }
}
