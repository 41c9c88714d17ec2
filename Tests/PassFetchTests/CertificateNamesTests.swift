import Foundation
import Loopback
import NIOSSL
import PassFixtures
import Testing

@testable import PassFetch

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
        Row(["DNS:passes.example."], "passes.example", false),
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

    @Test func asOpenSSL() throws {
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
            let path = try #require(certificates[row.hosts]?.path)
            let certificate = try #require(try NIOSSLCertificate.fromPEMFile(path).first)
            let isFor = CertificateNames(certificate).contain(row.host)
            #expect(isFor == row.isFor, "\(row)")
            #expect(answer == row.isFor, "OpenSSL: \(row)")
        }
    }

    @Test("names that host names may not have, but some hosts do")
    func underscores() {
        let names = CertificateNames(names: [Array("*.passes.example".utf8)])
        #expect(names.contain("a_b.passes.example"))
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
