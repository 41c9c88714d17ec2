import Foundation
import PassFixtures
import Testing

@Suite("Commands that read files accept file URLs")
final class FileURLTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    @Test(arguments: ["scan", "import", "verify"])
    func file(command: String) throws {
        try home.write(passes.data("trusted.pkpass"), to: "my ticket.pkpass")
        let url = "file://\(home.folder.path)/my%20ticket.pkpass"
        let result = try program.run([command, "--json"] + passes.trust + [url])
        #expect(result.status == 0)
        #expect(result.errors == "")
        let record = try #require(result.records.first)
        #expect(record["verdict"] as? String == "trusted")
        #expect(record["source"] as? String == home.path("my ticket.pkpass"))
    }

    @Test(
        "a URL that is not a file is not watched",
        arguments: [
            ("https://ada:secret@host.example/a.mbox", "https://host.example/a.mbox"),
            ("data:,a", "data:,a"),
        ])
    func notWatched(url: String, shown: String) throws {
        let result = try program.run(["watch", url])
        #expect(result.status == 64)
        #expect(
            result.errors
                == "passconduit: \(shown): only files and folders can be watched "
                + "(`passconduit import` fetches URLs)\n")
    }

    @Test(
        "an unreadable URL is reported, and the rest is read",
        arguments: ["scan", "import", "verify"])
    func unreadable(command: String) throws {
        try home.write(passes.data("trusted.pkpass"), to: "ticket.pkpass")
        let result = try program.run(
            [command, "--json"] + passes.trust
                + ["ftp://x:secret@x.example/ticket.pkpass", "ticket.pkpass"])
        #expect(result.status == 2)
        let detail = "ftp: URLs are not supported, only https:, http:, file: and data: URLs"
        #expect(
            result.errors == "passconduit: ftp://x.example/ticket.pkpass: \(detail)\n")
        #expect(result.pass?["verdict"] as? String == "trusted")
        guard command != "verify" else { return }
        let problem = try #require(result.records.first)
        #expect(problem["record"] as? String == "problem")
        #expect(problem["code"] as? String == "bad-url")
        #expect(problem["source"] as? String == "ftp://x.example/ticket.pkpass")
        #expect(problem["detail"] as? String == detail)
        #expect(result.records.last?["sources"] as? Int == 2)
        #expect(result.records.last?["problems"] as? Int == 1)
    }

    @Test("an unreadable URL alone is a problem too, and no library is opened for it")
    func alone() throws {
        let result = try program.run(["import", "mailto:ada@x.example"])
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(
            !FileManager.default.fileExists(
                atPath: home.library.appendingPathComponent("library.sqlite").path))
    }
}
