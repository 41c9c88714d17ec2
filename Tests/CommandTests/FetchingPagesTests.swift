import Foundation
import Loopback
import Testing

@Suite("Pages cost no more than their limits, and what is behind URLs is counted")
struct FetchingPagesTests {
    private let home: FetchingHome

    init() throws { home = try FetchingHome() }

    @Test("Each URL is a source, whatever came of it")
    func sources() async throws {
        defer { home.remove() }
        let pass = try FetchingHome.pass("0001")
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            server.serve("/text", .bytes("x".utf8, type: "text/plain"))
            server.serve("/page", .page("<html><a href=/1.pkpass?1>1</a><a href=/2.pkpass>2</a>"))
            for (paths, count) in [
                (["/1.pkpass"], 1), (["/missing"], 1), (["/text"], 1),
                // With what it leads to.
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
