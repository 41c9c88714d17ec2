import Foundation
import Loopback
import Testing

@Suite("Bundles, archives, pages and mail at URLs are opened")
struct FetchingContainersTests {
    private let home: FetchingHome

    init() throws { home = try FetchingHome() }

    private func passes(_ serials: String...) throws -> [Data] {
        try serials.map { try FetchingHome.pass($0) }
    }

    @Test(
        "Every pass in a container is imported",
        arguments: [
            ("archive", "application/vnd.apple.pkpasses"), ("archive", "application/zip"),
            ("archive", "application/octet-stream"), ("mailbox", "application/mbox"),
            ("mailbox", "text/plain"), ("mailbox", "application/octet-stream"),
        ])
    func containers(kind: String, type: String) async throws {
        defer { home.remove() }
        let passes = try passes("0001", "0002")
        let file =
            try kind == "archive" ? home.archive("a", passes) : home.mailbox("m", passes)
        try await LoopbackServer.run { server in
            server.serve("/get", .bytes(file, type: type))
            let result = try home.imports(server.url("/get"))
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            #expect(result.passes.count == 2)
            #expect(try home.serials == ["0001", "0002"])
            let sources = Set(result.passes.compactMap { $0["source"] as? String })
            #expect(sources == [server.url("/get")])
            if kind == "mailbox" {
                let messages = result.passes.compactMap { $0["message"] as? [String: Any] }
                #expect(
                    messages.map { $0["messageID"] as? String }
                        == ["0@example.org", "1@example.org"])
            }
        }
    }

    @Test("A single mail", arguments: ["message/rfc822", "text/plain", nil])
    func mail(type: String?) async throws {
        defer { home.remove() }
        let box = try home.mailbox("m", passes("0001"))
        let mail = box.dropFirst((box.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1)
        try await LoopbackServer.run { server in
            server.serve("/mail.eml", .bytes(mail, type: type))
            let result = try home.imports(server.url("/mail.eml"))
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            #expect(try home.serials == ["0001"])
        }
    }

    @Test(
        "A page that the server compressed unasked, with temporary files in the default or the user's folder",
        arguments: [("text/html", 0), (nil, 0), ("text/html", 3_000_000)])
    func compressedPage(type: String?, more: Int) async throws {
        let folder = try home.home.write(Data(), to: "large/empty").deletingLastPathComponent()
        let home = try FetchingHome(environment: ["TMPDIR": folder.path])
        defer {
            home.remove()
            self.home.remove()
        }
        let pass = try FetchingHome.pass("0001")
        let packed = try home.make(
            "page",
            "import gzip, sys; open(sys.argv[1], 'wb').write(gzip.compress("
                + "b'<!DOCTYPE html><a href=1.pkpass>Ticket</a>' + b' ' * \(more)))", [])
        try await LoopbackServer.run { server in
            server.serve(
                "/page", .bytes(packed, type: type).field("Content-Encoding", "gzip"))
            server.serve("/1.pkpass", .pass(pass))
            let result = try home.imports(server.url("/page"))
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            #expect(try home.serials == ["0001"])
        }
    }

    @Test("Links in a page are followed to any host, but only one level")
    func page() async throws {
        defer { home.remove() }
        let passes = try passes("0001", "0002", "0003", "0004")
        try await LoopbackServer.run { server in
            try await LoopbackServer.run { other in
                server.serve(
                    "/trip/page",
                    .page(
                        """
                        <!DOCTYPE html><html><head><title>Trip</title></head><body>
                        <a href="tickets/1.pkpass">Outward</a>
                        <a href='\(server.url("/2.pkpass?a=1&amp;b=2"))'>Back</a>
                        <a href="\(other.url("/3.pkpass", host: "localhost"))">Bus</a>
                        <a href="/about.html">About</a> <img src="/logo.png">
                        <a href="tickets/1.pkpass#again">Again</a>
                        <a href="/more.pkpass">More</a>
                        </body></html>
                        """))
                server.serve("/trip/tickets/1.pkpass", .pass(passes[0]))
                server.serve("/2.pkpass", .pass(passes[1]))
                other.serve("/3.pkpass", .pass(passes[2]))
                // The links in this page are not followed, since it is a second level.
                server.serve("/more.pkpass", .page("<a href=\"/4.pkpass\">Ticket</a>"))
                server.serve("/4.pkpass", .pass(passes[3]))
                let result = try home.imports(server.url("/trip/page"))
                #expect(try home.serials == ["0001", "0002", "0003"], "\(result.output)")
                #expect(
                    server.requests.map(\.target).sorted() == [
                        "/2.pkpass?a=1&b=2", "/more.pkpass", "/trip/page", "/trip/tickets/1.pkpass",
                    ])
                #expect(other.requests.map(\.target) == ["/3.pkpass"])
                #expect(server.requests.allSatisfy { $0["Referer"] == nil })
                // The page at the fourth link is declared as a pass.
                #expect(result.passes.filter { $0["import"] as? String == "refused" }.count == 1)
                #expect(result.status == 0)
            }
        }
    }

    @Test("A pass is fetched again on request, and is unchanged")
    func again() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            #expect(try home.imports(server.url("/1.pkpass")).pass?["import"] as? String == "added")
            let again = try home.imports(server.url("/1.pkpass"))
            #expect(again.pass?["import"] as? String == "unchanged")
            #expect(server.requests.count == 2)
        }
    }
}
