import ArgumentParser
import Foundation
import Testing

@testable import PassCommands

@Suite("The table of exit codes names the commands that use them")
struct ExitCodesTests {
    /// The commands in the rows of the table.
    private static let rows: [Int: Set<String>] = {
        var rows: [Int: Set<String>] = [:]
        let help = Passconduit.configuration.discussion
        let table = help.split(separator: "EXIT CODES\n").last?.prefix { $0 != "\u{0}" } ?? ""
        for line in table.split(separator: "\n").prefix(while: { $0 != "ENVIRONMENT" }) {
            guard let row = line.firstMatch(of: /^ +(\d+) +(.*)/), let code = Int(row.1) else {
                continue
            }
            let words = row.2.matches(of: /\(([^)]*)\)/).flatMap { $0.1.split(separator: ", ") }
            rows[code] = Set(words.map { String($0.prefix { $0 != " " }) })
        }
        return rows
    }()

    @Test("each code has a row, and the rows name only commands")
    func names() {
        #expect(Self.rows.keys.sorted() == [0, 1, 2, 3, 64])
        let commands = Passconduit.configuration.subcommands.map { $0._commandName }
        for code in [1, 3] {
            #expect(Self.rows[code]?.isEmpty == false)
            #expect(Self.rows[code]?.isSubset(of: commands) == true)
        }
    }

    @Test(
        "a command whose source returns a code is in its row",
        arguments: [
            (1, ["nothingFound", ".notFound(", "library.pass(named:", "library.version(named:"]),
            (3, ["notTrusted"]),
        ])
    func sources(code: Int, words: [String]) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/PassCommands/Commands").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        for command in Passconduit.configuration.subcommands.map({ $0._commandName }) {
            let file = files.first {
                $0.deletingPathExtension().lastPathComponent.lowercased() == command
            }
            let source = try String(contentsOf: try #require(file), encoding: .utf8)
            if words.contains(where: source.contains) {
                #expect(Self.rows[code]?.contains(command) == true, "\(command)")
            }
        }
    }
}
