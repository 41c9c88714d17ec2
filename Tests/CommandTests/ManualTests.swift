import Foundation
import Testing

@Suite("The manual pages agree with the programs")
final class ManualTests {
    private let home: Home
    private let program: Program
    private let folder: String

    init() throws {
        home = try Home()
        program = Program(home: home, environment: ["LC_ALL": "C.UTF-8"])
        folder = home.path("man1")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let result = try program.run(["manual", folder])
        #expect(result.status == 0)
        #expect(result.output + result.errors == "")
    }

    deinit { home.remove() }

    @Test("each command in the help has a page")
    func pages() throws {
        let dump = try program.run(["--experimental-dump-help"])
        let object = try JSONSerialization.jsonObject(with: Data(dump.output.utf8))
        var commands = try [("passconduit", #require(object as? [String: Any])["command"])]
        var names: Set = ["passconduit-deliver.1"]
        while let (name, command) = commands.popLast() {
            let command = try #require(command as? [String: Any])
            guard command["shouldDisplay"] as? Bool == true else { continue }
            names.insert("\(name).1")
            for below in command["subcommands"] as? [[String: Any]] ?? [] {
                let word = try #require(below["commandName"] as? String)
                if word != "help" { commands.append(("\(name)-\(word)", below)) }
            }
        }
        #expect(names.count > 15)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == names)
    }

    @Test("every word of the help is in the page", arguments: UsageTests.commands + [["deliver"]])
    func words(command: [String]) throws {
        let name = (["passconduit"] + command).joined(separator: "-")
        let delivery = Program("passconduit-deliver", home: home)
        let help =
            try command == ["deliver"]
            ? delivery.run(["--help"]) : program.run(command + ["--help"])
        let page = try program.shell("mandoc -T utf8 -O width=300 '\(folder)/\(name).1' | col -bx")
        #expect(page.lines.contains("NAME"))
        for heading in ["SYNOPSIS", "DESCRIPTION", "OPTIONS", "ENVIRONMENT", "EXIT STATUS"] {
            #expect(page.lines.contains(heading))
        }
        #expect(page.lines.contains("EXAMPLES"))
        let headings: Set = ["OVERVIEW", "USAGE", "CODES", "(sysexits.h)"]
        let missing = words(of: help.output).subtracting(words(of: page.output))
        #expect(missing.subtracting(headings) == [])
        #expect(words(of: page.output).contains("--help"))
    }

    @Test("the manual page of passconduit-serve describes all of its commands and options")
    func service() throws {
        let service = Program("passconduit-serve", home: home)
        let page = Program.package.appendingPathComponent("desktop/man/passconduit-serve.1").path
        let written = words(
            of: try program.shell("mandoc -T utf8 -O width=300 '\(page)' | col -bx").output)
        let help = try service.run(["--help"]).output
        let list = try #require(help.firstRange(of: "SUBCOMMANDS:"))
        let commands = help[list.upperBound...].matches(of: /\n +([a-z]+) {2,}/)
            .map { String($0.1) }
        #expect(commands.count >= 5)
        #expect(written.isSuperset(of: commands))
        for command in commands {
            let help = try service.run([command, "--help"]).output
            let options = Set(help.matches(of: /--[a-z][-a-z]*/).map { String($0.output) })
            #expect(options.contains("--store"))
            #expect(options.subtracting(written) == [], "\(command)")
        }
    }

    /// The words without the markers that a page shows in another typeface.
    private func words(of text: String) -> Set<String> {
        Set(
            text.split { " \n".contains($0) }
                .map { $0.filter { !"<>[]`'’:|".contains($0) } }.filter { !$0.isEmpty })
    }

    @Test("mandoc and man report no warning")
    func lint() throws {
        let written = Program.package.appendingPathComponent("desktop/man").path
        let lint = try program.shell("mandoc -T lint -W warning '\(folder)'/* '\(written)'/*")
        #expect(lint.output + lint.errors == "")
        #expect(lint.status == 0)
        let man = try program.shell(
            "for page in '\(folder)'/* '\(written)'/*; do "
                + "MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z \"$page\" > out || exit; done")
        #expect(man.errors == "")
        #expect(man.status == 0)
    }

    @Test("every page that is referred to exists")
    func references() throws {
        let written = Program.package.appendingPathComponent("desktop/man").path
        let pages = try program.shell("ls '\(folder)' '\(written)'").lines
        let references = try program.shell("cat '\(folder)'/* '\(written)'/*").output
            .matches(of: /Xr (passconduit[-a-z]*) ([0-9])/)
        #expect(references.count > 20)
        for reference in references {
            #expect(pages.contains("\(reference.1).\(reference.2)"))
        }
    }

    @Test("the version is the same everywhere")
    func release() throws {
        let changelog = try String(
            contentsOf: Program.package.appendingPathComponent("desktop/debian/changelog"),
            encoding: .utf8)
        let entry = try #require(changelog.firstMatch(of: /passconduit \(([0-9.]+)\)/))
        #expect(changelog.hasPrefix(entry.0))
        #expect(try program.run(["--version"]).output == "\(entry.1)\n")
        let delivery = Program("passconduit-deliver", home: home)
        #expect(try delivery.run(["--version"]).output == "\(entry.1)\n")

        let day = try #require(changelog.firstMatch(of: /\n -- .*>  (.*)\n/)).1
        let written = try program.shell("LC_ALL=C date -u -d '\(day)' '+.Dd %B %-d, %Y'")
        let page = try program.shell("head -1 '\(folder)/passconduit.1'")
        #expect(page.output == written.output)
    }
}
