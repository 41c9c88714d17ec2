import Foundation
import Loopback
import Testing

@Suite("Pages stay within their limits, and every URL is counted")
struct FetchingPagesTests {
    private let home: FetchingHome

    init() throws { home = try FetchingHome() }

    @Test("Links beyond a thousand are reported with their page", arguments: [1000, 1001])
    func links(count: Int) async throws {
        defer { home.remove() }
        let links = (0..<count).map {
            "<a href='data:application/vnd.apple.pkpass,\($0)'>\($0)</a>\n"
        }
        try await LoopbackServer.run { server in
            server.serve("/page", .page("<html>\(links.joined())"))
            let words = ["scan", "--json", server.url("/page")] + (try FetchingHome.options)
            let result = try home.program.run(words)
            #expect(result.passes.count == 1000)
            #expect(result.passes.allSatisfy { $0["verdict"] as? String == "malformed" })
            #expect(result.problems.map(\.code) == (count > 1000 ? ["limit-links"] : []))
            #expect(result.status == (count > 1000 ? 2 : 0))
            let problem = result.records.first { $0["record"] as? String == "problem" }
            #expect(problem?["source"] as? String == (count > 1000 ? server.url("/page") : nil))
        }
    }

    @Test("A page's title is read in the character set that the page declares")
    func title() async throws {
        defer { home.remove() }
        // The output of Python's "Řád".encode("cp1250").
        let title: [UInt8] = [0xD8, 0xE1, 0x64]
        let page =
            Array("<html><meta charset=windows-1250><title>".utf8) + title + Array("</title>".utf8)
        try await LoopbackServer.run { server in
            server.serve("/page", .bytes(page, type: "text/html"))
            let result = try home.imports(server.url("/page"))
            #expect(result.problems.map(\.code) == ["no-pass"])
            #expect(result.problems.first?.detail.contains("'Řád'") == true, "\(result.output)")
        }
    }

    @Test(
        "Links are read as ASCII if the declared character set is impossible",
        arguments: ["utf-7", "ibm037", "utf-16", "nobody-knows"])
    func wrongCharset(name: String) async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        let page = "<html><meta charset=\(name)><a href='/1.pkpass?a=1+b-2'>Ticket</a>"
        try await LoopbackServer.run { server in
            server.serve("/page", .bytes(page.utf8, type: "text/html"))
            server.serve("/1.pkpass", .pass(pass))
            let result = try home.imports(server.url("/page"))
            #expect(result.status == 0, "\(result.output)")
            #expect(server.requests.last?.target == "/1.pkpass?a=1+b-2")
        }
    }

    @Test("An unreadable data: link is reported")
    func badData() async throws {
        defer { home.remove() }
        let page = "<html><a href='data:application/vnd.apple.pkpass;base64,=?='>Ticket</a>"
        try await LoopbackServer.run { server in
            server.serve("/page", .page(page))
            let result = try home.imports(server.url("/page"))
            #expect(result.problems.map(\.code) == ["bad-url"])
        }
    }

    @Test("Each URL is counted as a source, whatever the result")
    func sources() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            server.serve("/text", .bytes("x".utf8, type: "text/plain"))
            server.serve("/page", .page("<html><a href=/1.pkpass?1>1</a><a href=/2.pkpass>2</a>"))
            for (paths, count) in [
                (["/1.pkpass"], 1), (["/missing"], 1), (["/text"], 1),
                // The page counts together with its links.
                (["/page"], 3), (["/missing", "/1.pkpass", "/text"], 3),
            ] {
                let result = try home.program.run(
                    ["scan", "--json"] + paths.map { server.url($0) } + (try FetchingHome.options))
                let summary = try #require(result.records.last)
                #expect(summary["record"] as? String == "summary")
                #expect(summary["sources"] as? Int == count, "\(paths)")
            }
            let words = ["scan", server.url("/missing")] + (try FetchingHome.options)
            #expect(try home.program.run(words).errors.contains("no passes in 1 source, "))
            let list = Data("\(server.url("/missing"))\n\(server.url("/1.pkpass"))\n".utf8)
            let listed = try home.program.run(
                ["scan", "--json", "-"] + FetchingHome.options, input: list)
            #expect(listed.records.last?["sources"] as? Int == 2)
        }
    }
}
