import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("A terminal gets colours, progress and questions, other outputs get plain lines")
final class TerminalTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private static let escape = "\u{1B}"

    @Test("colours on a terminal")
    func colours() throws {
        let output = try program.onTerminal(["scan", passes.path("unsigned.pkpass")]).output
        #expect(output.contains("\(Self.escape)[33munsigned\(Self.escape)[0m"))
        let mark = "\(Self.escape)[33m?\(Self.escape)[0m"
        #expect(output.hasPrefix("\(mark) Example Air"), "\(output)")
        #expect(output.contains("1 pass (\(mark)\u{A0}1 unsigned) in 1 source, "))
    }

    @Test(
        "no colours with NO_COLOR or on a dumb terminal",
        arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func noColours(variables: [String: String]) throws {
        let setting = variables.map { "\($0)=\($1)" }.joined()
        let wrapped = Program("/usr/bin/env", home: home)
        let result = try wrapped.onTerminal([
            setting, program.path, "scan", passes.path("unsigned.pkpass"),
        ])
        #expect(result.output.contains("unsigned"))
        #expect(!result.output.contains("\(Self.escape)[3"))
    }

    @Test(
        "a file or a pipe gets no control characters except line feeds",
        arguments: [["scan"], ["verify"], ["scan", "--json"]])
    func plain(command: [String]) throws {
        let result = try program.run(command + [passes.path("unsigned.pkpass")])
        for text in [result.output, result.errors] {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
        #expect(result.errors == "")
    }

    @Test("JSON on a terminal has the same meaning, without characters that control the terminal")
    func records() throws {
        let name = "A\u{7F}\u{9B}31m\u{202E}B\u{E0041}é"
        let pass = try JSONSerialization.data(withJSONObject: [
            "formatVersion": 1, "passTypeIdentifier": "pass.example.test", "serialNumber": "1",
            "teamIdentifier": "A1B2C3D4E5", "organizationName": name, "description": "Ticket",
            "generic": [String: Any](),
        ])
        let file = try home.write(
            Data(storedArchive([("pass.json", Array(pass))])), to: "ticket.pkpass"
        ).path
        _ = try program.run(["import", "--accept", "unsigned", file])
        for command in [["scan", file], ["verify", file], ["list"], ["show", "1"]] {
            let piped = try program.run(command + ["--json"])
            #expect(piped.output.contains(#""organizationName":"\#(name)""#), "\(command)")
            let shown = try program.onTerminal(command + ["--json"]).output
            let line = try #require(shown.split(whereSeparator: \.isNewline).first)
            #expect(
                line.contains(#""organizationName":"A\u007f\u009b31m\u202eB\udb40\udc41é""#))
            let decoded = try JSONSerialization.jsonObject(with: Data(line.utf8))
            #expect(decoded as? NSDictionary == piped.records.first.map(NSDictionary.init))
        }
    }

    @Test("a search without a match says so, to a reader only")
    func noMatch() throws {
        _ = try program.run(["import", passes.path("trusted.pkpass")] + passes.trust)
        let shown = try program.onTerminal(["search", "xyz"])
        #expect(shown.output == "no pass contains all of these words (fewer words find more)\r\n")
        #expect(shown.status == 1)
        #expect(try program.onTerminal(["search", "--json", "xyz"]).output == "")
        let piped = try program.run(["search", "xyz"])
        #expect(piped.output + piped.errors == "")
        #expect(piped.status == 1)
    }

    @Test("help fits the width of the terminal, or COLUMNS", arguments: [60, 80, 120])
    func help(width: Int) throws {
        let shown = try program.onTerminal(["import", "--help"], columns: width).output
            .replacing("\r\n", with: "\n")
        var program = program
        program.environment["COLUMNS"] = String(width)
        #expect(try program.run(["help", "import"]).output == shown)
        let longest = shown.split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= width && longest > width - 8)
    }

    @Test("a long scan shows its progress and erases it at the end")
    func progress() throws {
        // Even an optimised build needs longer for this than the delay before progress is shown.
        let message = "From a@b Wed May  1 10:00:00 2024\nSubject: x\n\nx\n\n"
        let mail = Data(String(repeating: message, count: 400_000).utf8)
        let places = try (0..<4).map { try home.write(mail, to: "mail/\($0).mbox").path }
        defer { for place in places { try? FileManager.default.removeItem(atPath: place) } }
        let result = try program.onTerminal(["scan", "--jobs", "1", home.path("mail")])
        #expect(result.output.contains(/\r\[=*>? *\] +[0-9]+%  .* of 78 MB  .*\/s  .* left/))
        #expect(result.output.contains("\r\(Self.escape)[K"))
        #expect(result.output.contains("no passes in 1,600,000 messages, 4 sources, 78 MB"))
        #expect(result.status == 1)
    }

    @Test("the progress of each source starts at zero")
    func progressOfSources() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        let mail = Data("From a@b Wed May  1 10:00:00 2024\nSubject: x\n\nNothing.\n".utf8)
        for name in ["first.mbox", "second.mbox"] { try home.home.write(mail, to: name) }
        try await LoopbackServer.run { server in
            let answer = Answer.pass(try FetchingHome.pass("0001") { $0.picture = 20_000 })
            server.serve("/slow.pkpass", answer.paced(bytesPerSecond: 15_000))
            let result = try home.program.onTerminal(
                ["scan", "first.mbox", server.url("/slow.pkpass"), "second.mbox"]
                    + (try FetchingHome.options))
            #expect(result.status == 0)
            #expect(result.output.contains("slow.pkpass, 127.0.0.1"))
            // Local sources are read too fast to show a rate.
            #expect(!result.output.contains("B/s  "), "\(result.output)")
        }
    }

    @Test(
        "remove asks, and only a yes removes",
        arguments: [("n\n", 1), ("\n", 1), ("y\n", 0), ("yes\n", 0)])
    func remove(answer: String, left: Int) throws {
        _ = try program.run(["import", passes.path("trusted.pkpass")] + passes.trust)
        let result = try program.onTerminal(["remove", "1"], typing: answer)
        #expect(
            result.output.contains("Remove Example Air, LIS -> OPO (pass.example.test/0001)?"))
        #expect(try program.run(["list"]).lines.count == left)
    }

    @Test("a pass is not written to a terminal")
    func export() throws {
        _ = try program.run(["import", passes.path("trusted.pkpass")] + passes.trust)
        let result = try program.onTerminal(["export", "1", "-o", "-"])
        #expect(result.status == 64)
        #expect(result.output.contains("passconduit: a pass is not text"))
    }
}
