import Fetching
import Foundation
import Glibc
import Loopback
import PassFixtures
import Testing

/// Whether a server can listen at `::1`.
private let hasIPv6 = {
    let file = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { return false }
    defer { close(file) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return unsafe withUnsafeBytes(of: &address) { bytes in
        guard let start = bytes.baseAddress else { return false }
        return unsafe bind(
            file, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
    }
}()

@Suite("An invalid certificate is refused with the reason")
struct CertificateTests {
    private func outcome(
        _ kind: ServerCertificate.Kind, trusted: Bool = true, host: String? = nil
    ) async throws -> (FetchProgram.Outcome, [RecordedRequest], String) {
        let certificate = try ServerCertificate(kind)
        return try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/", .bytes("x".utf8))
            var configuration = FetchProgram.configuration
            if trusted { configuration.authorities = try ServerAuthority.path }
            let outcome = try FetchProgram(configuration).fetch(server.url("/", host: host))
            return (outcome, server.requests, server.authority(host: host))
        }
    }

    @Test(
        "a certificate with its host only in the common name is refused, with that reason",
        arguments: [false, true])
    func commonNameAlone(offersHTTP2: Bool) async throws {
        let certificate = try ServerCertificate(for: [], commonName: "localhost")
        try await LoopbackServer.run(
            certificate: certificate, offersHTTP2: offersHTTP2
        ) { server in
            server.serve("/", .bytes("x".utf8))
            var configuration = FetchProgram.configuration
            configuration.authorities = try ServerAuthority.path
            let program = try FetchProgram(configuration)
            // The second request must not use the connection of the first.
            for _ in 1...2 {
                let outcome = try program.fetch(server.url("/", host: "localhost"))
                #expect(outcome.failure?.code == .tls)
                #expect(
                    outcome.failure?.reason
                        == .certificate(host: "localhost:\(server.port)", .namesNoHost))
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a valid one is accepted, for a name and for an address", arguments: ["localhost", nil])
    func good(host: String?) async throws {
        #expect(try await outcome(.good, host: host).0.size == 1)
    }

    @Test(
        "invalid ones are refused",
        arguments: [
            (
                ServerCertificate.Kind.forAnotherHost,
                CertificateFault.forOtherHosts(["other.example"], more: 0)
            ),
            (.selfSigned, .selfSigned), (.byStranger, .unknownIssuer(name: "Servers on Loopback")),
        ])
    func refused(kind: ServerCertificate.Kind, fault: CertificateFault) async throws {
        let (outcome, requests, place) = try await outcome(kind, host: "localhost")
        #expect(outcome.failure?.code == .tls)
        #expect(outcome.failure?.isTransient == false)
        #expect(outcome.failure?.reason == .certificate(host: place, fault))
        #expect(requests.isEmpty)
    }

    @Test("an expired certificate is refused, and one that is not valid yet")
    func times() async throws {
        let now = HTTPDate.now
        let expired = try await outcome(.expired, host: "localhost").0.failure?.reason
        guard case .certificate(_, .expired(let end)) = expired, end < now else {
            Issue.record("\(String(describing: expired))")
            return
        }
        let early = try await outcome(.notYetValid, host: "localhost").0.failure?.reason
        guard case .certificate(_, .notYetValid(let start)) = early, start > now else {
            Issue.record("\(String(describing: early))")
            return
        }
    }

    @Test("a certificate for another host is refused at an address")
    func address() async throws {
        let (outcome, requests, place) = try await outcome(.forAnotherHost)
        #expect(
            outcome.failure?.reason
                == .certificate(host: place, .forOtherHosts(["other.example"], more: 0)))
        #expect(requests.isEmpty)
    }

    @Test(
        "a certificate for an address is not valid for a name of that address, nor the reverse",
        arguments: [
            ("IP:127.0.0.1", "localhost", "127.0.0.1"), ("DNS:localhost", nil, "localhost"),
        ] as [(String, String?, String)])
    func nameOrAddress(own: String, host: String?, owner: String) async throws {
        let certificate = try ServerCertificate(for: [own])
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/", .bytes("x".utf8))
            var configuration = FetchProgram.configuration
            configuration.authorities = try ServerAuthority.path
            let failure = try FetchProgram(configuration).fetch(server.url("/", host: host)).failure
            #expect(failure?.code == .tls)
            let place = server.authority(host: host)
            #expect(
                failure?.reason == .certificate(host: place, .forOtherHosts([owner], more: 0)))
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a connection made by name is not reused for the address")
    func otherName() async throws {
        let certificate = try ServerCertificate(for: ["DNS:localhost"])
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/", .bytes("x".utf8))
            var configuration = FetchProgram.configuration
            configuration.authorities = try ServerAuthority.path
            let program = try FetchProgram(configuration)
            for host in ["localhost", nil, "localhost"] {
                let outcome = try program.fetch(server.url("/", host: host))
                #expect(outcome.failure?.code == (host == nil ? .tls : nil))
            }
            #expect(
                server.requests.map { $0["Host"] } == [
                    server.authority(host: "localhost"), server.authority(host: "localhost"),
                ])
            #expect(server.requests.map(\.connection) == [0, 0])
        }
    }

    @Test(
        "IPv6 addresses work too",
        .enabled(if: hasIPv6, "this computer has no IPv6 on its loopback"))
    func sixth() async throws {
        for (own, isGood) in [("IP:::1", true), ("IP:127.0.0.1", false)] {
            let certificate = try ServerCertificate(for: [own])
            try await LoopbackServer.run(on: "::1", certificate: certificate) { server in
                server.serve("/", .bytes("x".utf8))
                var configuration = FetchProgram.configuration
                configuration.authorities = try ServerAuthority.path
                let outcome = try FetchProgram(configuration).fetch(server.url())
                #expect(outcome.size == (isGood ? 1 : nil))
                #expect(outcome.failure?.code == (isGood ? nil : .tls))
                #expect(server.requests.count == (isGood ? 1 : 0))
            }
        }
    }

    @Test("an authority unknown to the system is trusted only if the user names it")
    func unknownAuthority() async throws {
        let (outcome, requests, place) = try await outcome(.good, trusted: false)
        #expect(
            outcome.failure?.reason
                == .certificate(host: place, .unknownIssuer(name: "Servers on Loopback")))
        #expect(requests.isEmpty)
    }

    /// Expected: SSL_CERT_DIR of openssl-verification-options(1).
    @Test("a folder of authorities prepared by openssl rehash is used")
    func folder() async throws {
        let home = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-authorities-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let file = home.appendingPathComponent("authority.pem")
        try FileManager.default.copyItem(
            atPath: try ServerAuthority.path, toPath: file.path)
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            server.serve("/", .bytes("x".utf8))
            var configuration = FetchProgram.configuration
            configuration.authorityFolder = "/nonexistent:\(home.path)"
            let before = try FetchProgram(configuration)
            #expect(try before.fetch(server.url()).failure?.code == .tls)
            let rehash = Process()
            rehash.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            rehash.arguments = ["rehash", home.path]
            try rehash.run()
            rehash.waitUntilExit()
            let after = try FetchProgram(configuration)
            #expect(try after.fetch(server.url()).size == 1)
        }
    }

    @Test("a server that asks for a client certificate is reported as such")
    func clientCertificate() async throws {
        var certificate = try ServerCertificate()
        certificate.asksForClientCertificate = true
        try await LoopbackServer.run(certificate: certificate) { server in
            var configuration = FetchProgram.configuration
            configuration.authorities = try ServerAuthority.path
            let failure = try FetchProgram(configuration).fetch(server.url()).failure
            #expect(failure?.reason == .clientCertificateWanted(host: server.authority()))
            #expect(failure?.isTransient == false)
        }
    }

    @Test("a server without TLS is distinguished from one with an invalid certificate")
    func noTLS() async throws {
        try await LoopbackServer.run { server in
            let url = server.url("/").replacing("http://", with: "https://")
            let failure = try FetchProgram().fetch(url).failure
            #expect(failure?.code == .tls || failure?.code == .connection)
            if case .certificate = failure?.reason { Issue.record("there is no certificate") }
        }
    }

    @Test("a missing file of authorities is reported")
    func noAuthorities() async throws {
        var configuration = FetchProgram.configuration
        configuration.authorities = "/nonexistent"
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            let failure = try FetchProgram(configuration).fetch(server.url()).failure
            #expect(failure?.reason == .unreadableAuthorities)
            #expect(server.requests.isEmpty)
        }
    }
}
