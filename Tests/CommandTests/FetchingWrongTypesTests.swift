import Foundation
import Loopback
import Testing

@Suite("Anything but a pass is refused, and its type is reported")
struct FetchingWrongTypesTests {
    @Test(
        "A page, a picture, an empty body",
        arguments: [
            ("text/html", "<!DOCTYPE html><title>x</title><p>Please sign in", "a web page"),
            ("application/vnd.apple.pkpass", "<!DOCTYPE html><title>x</title>", "text/html"),
            ("text/plain", "There is nothing here.\n", "text/plain"),
            ("application/json", "{\"error\": \"sold out\"}\n", "json"),
            ("application/pdf", "%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n", "pdf"),
            ("application/vnd.apple.pkpass", "", "an empty file"),
            ("application/octet-stream", "", "an empty file"),
            ("application/octet-stream", "\u{1}\u{2}\u{3}\u{5}", "of an unknown type"),
        ])
    func wrong(type: String, body: String, what: String) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/get", .bytes(body.utf8, type: type))
            let result = try home.imports(server.url("/get"))
            // A body declared as a pass is refused like an invalid pass. For the others, the report
            // says that there is no pass.
            let claims = type == "application/vnd.apple.pkpass"
            #expect(result.status == (claims ? 3 : 2), "\(result.output) \(result.errors)")
            #expect(result.passes.count == (claims ? 1 : 0))
            let told =
                result.problems.map(\.detail)
                + result.passes.flatMap { ($0["notes"] as? [[String: Any]] ?? []) }
                .compactMap { $0["detail"] as? String }
            #expect(told.contains { $0.contains(what) }, "\(result.output)")
            #expect(result.passes.allSatisfy { $0["import"] as? String == "refused" })
            #expect(try home.serials == [])
            // The refusal is final, so the download is not tried again.
            let left = try home.program.run(["downloads", "list", "--json"])
            #expect(left.records.isEmpty)
        }
    }

    @Test("A body that the server compressed without being asked")
    func compressed() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        let packed = try home.make(
            "packed",
            "import gzip, sys; open(sys.argv[1], 'wb')"
                + ".write(gzip.compress(open(sys.argv[2], 'rb').read()))", [pass])
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(packed).field("Content-Encoding", "gzip"))
            let result = try home.imports(server.url("/1.pkpass"))
            // Compressed files are opened, even if it was the server that compressed them.
            #expect(result.status == 0, "\(result.output)")
            #expect(result.pass?["import"] as? String == "added")
            #expect(result.pass?["size"] as? Int == pass.count)
            #expect(try home.serials == ["0001"])
            #expect(server.requests.first?["Accept-Encoding"] == "identity")
        }
    }

    @Test("A body whose compression is unknown", arguments: ["br", "compress"])
    func unreadable(coding: String) async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass).field("Content-Encoding", coding))
            let result = try home.imports(server.url("/1.pkpass"))
            #expect(result.status == 2)
            #expect(result.problems.contains { $0.detail.contains(coding) }, "\(result.output)")
            #expect(result.passes.isEmpty)
        }
    }
}
