import Fetching
import Foundation
import Loopback
import PassFixtures
import Testing

/// Expected: RFC 9525, 6.3 and 6.4, and OpenSSL's result.
@Suite("A certificate is valid for the names and addresses in it, and nothing else")
struct CertificateNamesTests {
    private struct Row: Sendable {
        let hosts: [String]
        let host: String
        let isFor: Bool

        init(_ hosts: [String], _ host: String, _ isFor: Bool) {
            (self.hosts, self.host, self.isFor) = (hosts, host, isFor)
        }
    }

    private static let rows = [
        Row(["DNS:passes.example"], "passes.example", true),
        Row(["DNS:PASSES.example"], "passes.example", true),
        Row(["DNS:other.example", "DNS:passes.example"], "passes.example", true),
        Row(["DNS:passes.example"], "a.passes.example", false),
        Row(["DNS:a.passes.example"], "passes.example", false),
        Row(["DNS:.passes.example"], "a.passes.example", false),
        Row(["DNS:*.passes.example"], "a.passes.example", true),
        Row(["DNS:*.PASSES.example"], "a.passes.example", true),
        Row(["DNS:*.passes.example"], "xn--bcher-kva.passes.example", true),
        Row(["DNS:*.passes.example"], "passes.example", false),
        Row(["DNS:*.passes.example"], "a.b.passes.example", false),
        Row(["DNS:*.passes.example"], "apasses.example", false),
        Row(["DNS:*.example"], "passes.example", false),
        Row(["DNS:*"], "localhost", false),
        Row(["DNS:*."], "localhost", false),
        Row(["DNS:a*.passes.example"], "ab.passes.example", false),
        Row(["DNS:**.passes.example"], "a.passes.example", false),
        Row(["DNS:a.*.passes.example"], "a.b.passes.example", false),
        Row(["DNS:*.*.passes.example"], "a.b.passes.example", false),
        Row(["DNS:passes.*"], "passes.example", false),
        Row(["IP:127.0.0.1"], "127.0.0.1", true),
        Row(["IP:127.0.0.1"], "127.0.0.2", false),
        Row(["IP:127.0.0.1"], "localhost", false),
        Row(["DNS:127.0.0.1"], "127.0.0.1", false),
        Row(["DNS:*.0.0.1"], "127.0.0.1", false),
        Row(["IP:::1"], "::1", true),
        Row(["IP:::1"], "127.0.0.1", false),
        Row(["IP:::ffff:127.0.0.1"], "127.0.0.1", false),
        Row(["DNS:localhost"], "127.0.0.1", false),
        Row(["URI:https://passes.example/"], "passes.example", false),
        Row(["email:ada@passes.example"], "passes.example", false),
        // Its common name is `passes.example`.
        Row([], "passes.example", false),
    ]

    @Test func asOpenSSL() async throws {
        var certificates: [[String]: ServerCertificate] = [:]
        for row in Self.rows where certificates[row.hosts] == nil {
            certificates[row.hosts] = try ServerCertificate(
                for: row.hosts, commonName: "passes.example")
        }
        let questions = Self.rows.map { row in
            [
                "certificate": certificates[row.hosts]?.path, "host": row.host,
                "key": certificates[row.hosts]?.keyPath,
            ]
        }
        let answers = try openSSL(questions)
        try #require(answers.count == Self.rows.count)
        for (row, answer) in zip(Self.rows, answers) {
            #expect(answer == row.isFor, "OpenSSL: \(row)")
        }
        for (hosts, certificate) in certificates {
            let rows = Self.rows.filter { $0.hosts == hosts }
            let taken = try await takenHosts(rows.map(\.host), certificate)
            for row in rows { #expect(taken.contains(row.host) == row.isFor, "\(row)") }
        }
    }

    @Test("names that host names may not have, but some hosts do")
    func underscores() async throws {
        let certificate = try ServerCertificate(for: ["DNS:*.passes.example"])
        let host = "a_b.passes.example"
        #expect(try await takenHosts([host], certificate) == [host])
    }

    /// The hosts for which a server with this certificate gets a request. A proxy connects all
    /// hosts to it.
    private func takenHosts(
        _ hosts: [String], _ certificate: ServerCertificate
    ) async throws -> Set<String> {
        try await LoopbackServer.run(certificate: certificate) { server in
            let ports = Dictionary(hosts.map { ($0, server.port) }) { port, _ in port }
            return try await LoopbackProxy.run(ports: ports) { proxy in
                server.serve("/", .bytes("x".utf8))
                var configuration = FetchProgram.configuration
                configuration.authorities = try ServerAuthority.path
                configuration.proxies = ["https_proxy": proxy.url]
                let program = try FetchProgram(configuration)
                var taken: Set<String> = []
                for host in hosts {
                    let name = host.contains(":") ? "[\(host)]" : host
                    let outcome = try program.fetch("https://\(name)/")
                    if outcome.size == 1 { taken.insert(host) }
                    #expect(outcome.size == 1 || outcome.failure?.code == .tls, "\(host)")
                }
                #expect(server.requests.count == taken.count)
                return taken
            }
        }
    }

    private func openSSL(_ questions: [[String: String?]]) throws -> [Bool] {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("certificate_names.py").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [script, try ServerAuthority.path]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(questions))
        try input.fileHandleForWriting.close()
        let answers = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([Bool].self, from: answers)
    }
}
