import Foundation
import PassFixtures
import Testing

@Suite("render draws the passes in a file of any kind and name")
final class RenderFilesTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
        let imported = try program.run(
            ["import"] + passes.trust + [passes.path("trusted.pkpass")])
        try #require(imported.status == 0)
    }

    deinit { home.remove() }

    @Test("files of any name, and standard input")
    func names() throws {
        let trusted = passes.path("trusted.pkpass")
        _ = try program.shell("cp '\(trusted)' ticket && cp '\(trusted)' ticket.zip")
        for words in ["ticket", "ticket.zip", "./ticket", "-"] {
            let command =
                "\"$PROGRAM\" render \(words) -o - --format pdf \(passes.trust.joined(separator: " "))"
            let result = try program.shell("\(command) < ticket | pdftotext -raw - -")
            #expect(result.output.contains("Example Air"), "\(result.errors)")
            #expect(result.errors == "")
        }
        // A pass with this name in the library takes precedence.
        try home.write(Data("no pass".utf8), to: "1")
        #expect(try program.run(["render", "1", "-o", "pass.png"]).status == 0)
        try FileManager.default.createDirectory(
            at: home.folder.appendingPathComponent("folder"), withIntermediateDirectories: true)
        let folder = try program.run(["render", "folder", "-o", "folder.png"])
        #expect(folder.status == 1)
        #expect(folder.errors.hasPrefix("passconduit: there is no pass folder in the library ("))
        let url = try program.run(["render", "https://example.org/a.pkpass", "-o", "url.png"])
        #expect(url.status == 2)
        #expect(url.errors.contains("only files can be drawn"))
    }

    @Test("all passes of a bundle, and their backs on request")
    func bundle() throws {
        for name in ["trusted", "untrusted", "tampered"] {
            _ = try program.shell(
                "zip -j -q journey.pkpasses '\(passes.path("\(name).pkpass"))'")
        }
        let options = ["--force"] + passes.trust
        for (back, pages, size) in [([], 2, "375x896"), (["--back"], 4, "766x896")] {
            let pdf = try program.run(
                ["render", "journey.pkpasses", "-o", "journey.pdf"] + options + back)
            #expect(pdf.status == 3)
            let lines = pdf.errors.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.contains { $0.contains("untrusted.pkpass: this pass is untrusted") })
            #expect(lines.contains { $0.contains("tampered.pkpass: this pass is tampered") })
            let read = try program.shell("pdfinfo journey.pdf").output
            #expect(read.contains("Pages:           \(pages)"), "\(read)")
            _ = try program.run(
                ["render", "journey.pkpasses", "-o", "journey.png", "--scale", "1"] + options
                    + back)
            #expect(try program.shell("identify -format %wx%h journey.png").output == size)
        }
    }

    @Test("a mail without a pass is reported")
    func mail() throws {
        try home.write(
            Data("From: a@example.org\nSubject: Hello\n\nNo pass.\n".utf8), to: "mail.eml")
        let result = try program.run(["render", "mail.eml", "-o", "pass.png"])
        #expect(result.status == 1)
        #expect(result.errors == "passconduit: mail.eml: there is no pass in this mail\n")
    }
}
