import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("A pass at a URL is recognised by its type, name, path or content")
struct FetchingPassesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var path = "/get"
        var type: String?
        var disposition: String?
        let evidence: String
        var name: String?

        var testDescription: String { "\(path) \(type ?? "-") \(disposition ?? "-")" }
    }

    private static let octets = "application/octet-stream"

    @Test(
        "A pass",
        arguments: [
            Row(type: "application/vnd.apple.pkpass", evidence: "mime"),
            Row(type: "Application/Vnd.Apple.PkPass; charset=binary", evidence: "mime"),
            Row(
                type: octets, disposition: "attachment; filename=ticket.pkpass",
                evidence: "extension", name: "ticket.pkpass"),
            Row(
                type: octets, disposition: "attachment; filename=\"my \\\"ticket\\\".pkpass\"",
                evidence: "extension", name: "my \"ticket\".pkpass"),
            Row(
                type: octets,
                disposition: "attachment; filename*=UTF-8''Fahrschein%20%E2%82%AC.pkpass",
                evidence: "extension", name: "Fahrschein €.pkpass"),
            // RFC 6266, 4.3: the plain form is for clients that do not support the extended one.
            Row(
                type: octets,
                disposition: "attachment; filename=\"old.bin\"; filename*=UTF-8''new.pkpass",
                evidence: "extension", name: "new.pkpass"),
            Row(path: "/tickets/a%20b.PKPASS?x=1", type: octets, evidence: "extension"),
            Row(path: "/tickets/1.pkpass", evidence: "extension"),
            Row(evidence: "content"),
            Row(type: "text/plain", evidence: "content"),
        ])
    func known(row: Row) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            let path = String(row.path.prefix { $0 != "?" })
            server.serve(path, .bytes(pass, type: row.type, disposition: row.disposition))
            let url = server.url(row.path)
            let result = try home.imports(url)
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            let found = try #require(result.pass)
            #expect(found["import"] as? String == "added")
            #expect(found["verdict"] as? String == "trusted")
            #expect(found["source"] as? String == url)
            let evidence = found["evidence"] as? [String] ?? []
            #expect(evidence.contains(row.evidence), "\(evidence)")
            if let name = row.name { #expect(found["name"] as? String == name) }
            #expect(try home.serials == ["0001"])
            #expect(server.requests.count == 1)
            #expect(server.requests.first?["User-Agent"]?.hasPrefix("passconduit/") == true)
        }
    }

    /// RFC 9110, 5.5 allows only ASCII in fields. ISO 8859-1 is customary, and servers send UTF-8.
    @Test(
        "By a name with bytes outside ASCII",
        arguments: [
            ([0xC3, 0xA4], "Fahrk\u{E4}rtchen.pkpass"),
            ([0xE4], "Fahrk\u{E4}rtchen.pkpass"),
        ] as [([UInt8], String)])
    func otherLetters(letter: [UInt8], name: String) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        let disposition =
            Array("Content-Disposition: attachment; filename=\"Fahrk".utf8) + letter
            + Array("rtchen.pkpass\"\r\n".utf8)
        let head =
            "Content-Type: application/octet-stream\r\nContent-Length: \(pass.count)\r\n\r\n"
        try await LoopbackServer.run { server in
            server.serve(
                "/get",
                .raw(Array("HTTP/1.1 200 OK\r\n".utf8) + disposition + Array(head.utf8) + pass))
            let result = try home.imports(server.url("/get"))
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            #expect(result.pass?["name"] as? String == name)
            let evidence = result.pass?["evidence"] as? [String]
            #expect(evidence == ["extension", "content"])
        }
    }

    @Test("From an IPv6 address", .enabled(if: hasVersion6, "no ::1 here"))
    func version6() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        for certificate in [nil, try ServerCertificate()] {
            try await LoopbackServer.run(on: "::1", certificate: certificate) { server in
                server.serve("/1.pkpass", .pass(pass))
                #expect(server.url().contains("://[::1]:"))
                let refused = try home.program.run(["scan", "--json", server.url("/1.pkpass")])
                #expect(refused.problems.map(\.code).first?.hasPrefix("fetch-") == true)
                #expect(server.requests.isEmpty)
                let result = try home.imports(server.url("/1.pkpass"))
                #expect(result.pass?["verdict"] as? String == "trusted", "\(result.output)")
                #expect(server.requests.first?["Host"] == "[::1]:\(server.port)")
            }
        }
    }

    @Test("Over TLS, with no other request")
    func secure() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            server.serve("/1.pkpass", .pass(pass))
            let words = ["import", server.url("/1.pkpass", host: "localhost"), "--allow-private"]
            let result = try home.program.run(words + (try FetchingHome.trust))
            #expect(result.status == 0, "\(result.errors)")
            #expect(try home.serials == ["0001"])
            let request = try #require(server.requests.first)
            #expect(request.method == "GET")
            #expect(request["Accept-Encoding"] == "identity")
            let silent = ["Cookie", "Referer", "Authorization", "Range", "If-Range", "From"]
            #expect(silent.allSatisfy { request[$0] == nil })
        }
    }

    @Test("scan creates neither a library nor a file")
    func scanned() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            let temporary = home.home.path("temporary")
            try FileManager.default.createDirectory(
                atPath: temporary, withIntermediateDirectories: false)
            var program = home.program
            program.environment["TMPDIR"] = temporary
            let words = ["scan", "--json", server.url("/1.pkpass")]
            let result = try program.run(words + (try FetchingHome.options))
            #expect(result.status == 0)
            #expect(result.pass?["verdict"] as? String == "trusted")
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: home.home.library.path))
        }
    }

    @Test("A list of URLs on the standard input is fetched in order")
    func list() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let serials = (1...12).map { String(format: "%04d", $0) }
        let folder = home.home.folder.appendingPathComponent("passes")
        try FetchingHome.issuer.get().make(serials.map { PassRecipe($0) }, in: folder)
        try await LoopbackServer.run { server in
            for serial in serials {
                server.serve(
                    "/\(serial)",
                    .passFile(folder.appendingPathComponent("\(serial).pkpass").path))
            }
            let urls = serials.map { server.url("/\($0)") }.joined(separator: "\n") + "\n"
            let words = ["import", "--json", "-"] + (try FetchingHome.options)
            let result = try home.program.run(words, input: Data(urls.utf8))
            #expect(result.status == 0, "\(result.errors)")
            let found = result.passes.compactMap {
                ($0["pass"] as? [String: Any])?["serialNumber"] as? String
            }
            #expect(found == serials)
            #expect(server.requests.count == 12)
            #expect(server.mostAtOnce <= 4)
        }
    }
}

private let hasVersion6 =
    (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains(" lo") ?? false
