import Fetching
import Loopback
import PassFixtures
import Testing

@Suite("HTTP/2 is used if a server offers it")
struct HTTP2Tests {
    private func withServer(
        _ body: (LoopbackServer, FetchProgram) async throws -> Void
    ) async throws {
        let certificate = try ServerCertificate()
        try await LoopbackServer.run(certificate: certificate, offersHTTP2: true) { server in
            var configuration = FetchProgram.configuration
            configuration.authorities = try ServerAuthority.path
            try await body(server, FetchProgram(configuration))
        }
    }

    @Test("for bodies, redirects and other statuses, on one connection")
    func answers() async throws {
        try await withServer { server, program in
            server.serve("/body", .generated(3_000_000, seed: 4).tagged("\"1\""))
            server.serve("/moved", .redirect(to: "/body"))
            server.serve("/busy", .status(503, retryAfter: "120"))
            for path in ["/body", "/moved"] {
                let outcome = try program.fetch(server.url(path))
                #expect(outcome.size == 3_000_000)
                #expect(outcome.responses.first?.validator == "\"1\"")
                #expect(program.contents() == GeneratedBody(seed: 4).bytes(in: 0..<3_000_000))
            }
            let busy = try program.fetch(server.url("/busy")).failure
            #expect(busy?.status == 503)
            #expect(busy?.retryAfter == 120)
            #expect(server.requests.count == 4)
            #expect(server.requests.allSatisfy { $0.isHTTP2 })
            #expect(Set(server.requests.map(\.connection)) == [0])
        }
    }

    @Test("and a body that is cut off is reported")
    func cut() async throws {
        try await withServer { server, program in
            server.serve("/", .generated(300_000, seed: 5).cut(after: 100_000))
            let failure = try program.fetch(server.url()).failure
            #expect(failure?.code == .cut)
            #expect(failure?.isTransient == true)
        }
    }
}
