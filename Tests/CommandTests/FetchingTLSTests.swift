import Foundation
import Loopback
import Testing

@Suite("Only a server with a valid certificate is accepted, and the error is explained")
struct FetchingTLSTests {
    @Test(
        "Each kind of invalid certificate",
        arguments: [
            (.forAnotherHost, "is for other.example"), (.expired, "expired on "),
            (.notYetValid, "is not valid before "), (.selfSigned, "self-signed"),
            (.byStranger, "is signed by Servers on Loopback, which this computer does not trust"),
        ] as [(ServerCertificate.Kind, String)])
    func refused(kind: ServerCertificate.Kind, words: String) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run(certificate: try ServerCertificate(kind)) { server in
            server.serve("/1.pkpass", .pass("x".utf8))
            for host in ["127.0.0.1", "localhost"] {
                let result = try home.imports(server.url("/1.pkpass", host: host))
                #expect(result.status == 2)
                #expect(result.problems.map(\.code) == ["fetch-tls"], "\(result.output)")
                #expect(
                    result.problems.first?.detail.contains(words) == true, "\(result.problems)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A certificate for an address is not valid for a name or for another address")
    func address() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        let certificate = try ServerCertificate(for: ["IP:127.0.0.1"])
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/1.pkpass", .pass(pass))
            let named = try home.imports(server.url("/1.pkpass", host: "localhost"))
            #expect(named.problems.map(\.code) == ["fetch-tls"], "\(named.output)")
            #expect(named.problems.first?.detail.hasSuffix("is for 127.0.0.1") == true)
            #expect(server.requests.isEmpty)
            #expect(try home.imports(server.url("/1.pkpass")).status == 0)
        }
    }

    @Test("An authority that is not among the system's is refused by default")
    func system() async throws {
        let system = "/etc/ssl/certs/ca-certificates.crt"
        let home = try FetchingHome(environment: ["SSL_CERT_FILE": system])
        defer { home.remove() }
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            server.serve("/1.pkpass", .pass("x".utf8))
            let result = try home.imports(server.url("/1.pkpass"))
            #expect(result.problems.map(\.code) == ["fetch-tls"], "\(result.output)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A server that does not speak TLS")
    func plain() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run { server in
            let url = server.url("/1.pkpass").replacing("http:", with: "https:")
            let result = try home.imports(url)
            #expect(result.status == 2)
            #expect(result.problems.map(\.code) == ["fetch-tls"], "\(result.output)")
        }
    }

    @Test("A closed port, and a name that does not exist")
    func nobody() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let port = try await LoopbackServer.run { server in server.port }
        let refused = try home.imports("https://127.0.0.1:\(port)/", "--max-size", "1")
        #expect(refused.status == 2)
        #expect(refused.problems.map(\.code) == ["fetch-connection"], "\(refused.output)")
        // RFC 6761, 6.4: this name never exists.
        let unknown = try home.imports("https://tickets.invalid/1.pkpass")
        #expect(unknown.problems.map(\.code) == ["fetch-dns"], "\(unknown.output)")
    }
}
