import Foundation
import Testing

@Suite("What reads files takes their URLs, too")
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
        "what cannot be read ends the command before anything is done",
        arguments: ["scan", "import", "verify"])
    func unreadable(command: String) throws {
        try home.write(passes.data("trusted.pkpass"), to: "ticket.pkpass")
        let result = try program.run(
            [command] + passes.trust + ["ticket.pkpass", "ftp://x.example/ticket.pkpass"])
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(
            result.errors
                == "passconduit: ftp://x.example/ticket.pkpass: ftp: URLs cannot be read: "
                + "only https:, http:, file: and data: URLs can\n")
        #expect(!FileManager.default.fileExists(atPath: home.library.path))
    }
}
