import Foundation
import Loopback
import Testing

@Suite("open shows the pass at a URL and stores it only if the user agrees")
struct OpenURLTests {
    private let home: FetchingHome
    private let pass: Data
    private let folder: String

    init() throws {
        var home = try FetchingHome()
        folder = home.home.path("temporary")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        home.program.environment["TMPDIR"] = folder
        self.home = home
        pass = try FetchingHome.pass("0001")
    }

    private func open(_ urls: String..., typing text: String? = nil) throws -> Program.Result {
        let words = ["open"] + (try FetchingHome.options) + urls
        guard let text else { return try home.program.run(words) }
        return try home.program.onTerminal(words, typing: text)
    }

    /// Expects neither a library nor a body.
    private func expectNothing() throws {
        #expect(!FileManager.default.fileExists(atPath: home.home.library.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("Without a terminal it prints the command that adds the pass")
    func printed() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            let url = server.url("/1.pkpass")
            let result = try open(url)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("Example Railways"))
            #expect(result.output.contains("  Verdict   trusted"))
            let advice = "Nothing was added. To add it: passconduit "
            let command = try #require(result.lines.last.map { $0.components(separatedBy: advice) })
            #expect(command.count == 2 && command.last?.hasSuffix(url) == true)
            #expect(server.requests.count == 1)
            try expectNothing()
            let added = try home.program.shell("$PROGRAM \(command.last ?? "")")
            #expect(added.output.hasPrefix("added "), "\(added.errors)")
            #expect(server.requests.count == 2)
        }
    }

    @Test(
        "On a terminal the answer yes adds the pass, with the URL as its origin",
        arguments: [("y\n", true), ("\n", false)])
    func asked(answer: String, isAdded: Bool) async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            let result = try open(server.url("/1.pkpass"), typing: answer)
            #expect(result.status == 0)
            #expect(result.output.contains("Add it to the library? [y/N] "))
            #expect(try home.serials == (isAdded ? ["0001"] : []))
            #expect(server.requests.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            guard isAdded else { return }
            let shown = try home.program.run(["show", "1", "--json"]).records.first
            let origins = shown?["origins"] as? [[String: Any]]
            #expect(origins?.map { $0["source"] as? String } == [server.url("/1.pkpass")])
            // The library's queue contains no download.
            let downloads = try home.program.run(["downloads", "list", "--all", "--json"])
            #expect(downloads.records.isEmpty)
        }
    }

    @Test("A page with one link to a pass opens that pass")
    func page() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/trip/page", .page("<html><a href='ticket.pkpass'>Ticket</a>"))
            server.serve("/trip/ticket.pkpass", .pass(pass))
            let printed = try open(server.url("/trip/page"))
            #expect(printed.status == 0, "\(printed.errors)")
            #expect(printed.output.hasSuffix(" \(server.url("/trip/ticket.pkpass"))\n"))
            let result = try open(server.url("/trip/page"), typing: "y\n")
            #expect(!result.output.contains("Pass 1 of"))
            #expect(try home.serials == ["0001"])
            #expect(server.requests.map(\.path).suffix(2) == ["/trip/page", "/trip/ticket.pkpass"])
        }
    }

    @Test("A failed fetch is reported, and the rest is shown")
    func failure() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            server.serve("/text", .bytes("Sold out.\n".utf8, type: "text/plain"))
            let result = try open(server.url("/missing"), server.url("/1.pkpass"))
            #expect(result.status == 2)
            #expect(result.errors.hasPrefix("passconduit: \(server.url("/missing")): "))
            #expect(result.errors.contains("404"))
            #expect(result.output.contains("  Verdict   trusted"))
            let asked = try open(server.url("/missing"), server.url("/1.pkpass"), typing: "y\n")
            #expect(asked.status == 2)
            #expect(asked.output.contains("404"))
            #expect(try home.serials == ["0001"])
            // A body that is not a pass is shown as unreadable, like a file.
            let text = try open(server.url("/text"))
            #expect(text.status == 3)
            #expect(text.output.contains("text/plain"))
            let words = ["open", server.url("/1.pkpass"), "--allow-http"]
            let refused = try home.program.run(words)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("--allow-private"))
            #expect(server.requests(for: "/1.pkpass").count == 2)
        }
    }
}
