import Foundation
import Loopback
import Testing

@Suite("A URL that is too long to request is reported, and the others are fetched")
struct FetchingLongURLTests {
    private let home: FetchingHome
    private static let long = String(repeating: "x", count: 17_000) + ".pkpass"

    init() throws { home = try FetchingHome() }

    private func nothingIsLeft() throws {
        let left = try home.program.run(["downloads", "list", "--json"])
        #expect(!left.output.contains("xxxx"), "\(left.output.prefix(500))")
        #expect(left.records.allSatisfy { $0["state"] as? String == "finished" })
    }

    /// A request with the second URL would stop the fetch program.
    @Test("In a mail", arguments: [17_000, 2_000_000])
    func mail(length: Int) async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            let long = server.url("/") + String(repeating: "x", count: length) + ".pkpass"
            let mail = "From: ada@example.org\nSubject: x\n\n\(long)\n\(server.url("/1.pkpass"))\n"
            try home.home.write(Data(mail.utf8), to: "mail.eml")
            let result = try home.imports("--follow-links", "mail.eml")
            #expect(result.status == 2)
            #expect(result.problems.map(\.code) == ["limit-link-size"])
            #expect(result.errors.utf8.count < 1000)
            #expect(try home.serials == ["0001"])
            #expect(server.requests.count == 1)
            try nothingIsLeft()
        }
    }

    @Test("In a list, and as an argument")
    func list() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            let list = "\(server.url("/\(Self.long)"))\n\(server.url("/1.pkpass"))\n"
            let words = ["import", "--json"] + (try FetchingHome.options)
            let result = try home.program.run(words + ["-"], input: Data(list.utf8))
            #expect(result.status == 2)
            #expect(
                result.problems.map(\.detail)
                    == ["line 1: this URL is longer than 16384 bytes"])
            #expect(try home.serials == ["0001"])
            let word = try home.program.run(words + [server.url("/\(Self.long)")])
            #expect(word.status == 2)
            #expect(word.errors.hasSuffix("this URL is longer than 16384 bytes\n"))
            #expect(word.errors.utf8.count < 300)
            try nothingIsLeft()
        }
    }

    @Test("In a page, even if only its base URL makes it too long")
    func page() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            let base = String(repeating: "x", count: 16_300)
            server.serve(
                "/page",
                .page(
                    "<base href='/\(base)/'><a href='\(Self.long)'>a</a><a href='/1.pkpass'>b</a>"
                        + "<a href='\(String(repeating: "y", count: 100)).pkpass'>c</a>"))
            server.serve("/1.pkpass", .pass(pass))
            _ = try home.imports(server.url("/page"))
            #expect(try home.serials == ["0001"])
            #expect(server.requests.map(\.path) == ["/page", "/1.pkpass"])
            try nothingIsLeft()
        }
    }
}
