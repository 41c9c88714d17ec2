import Foundation
import PassFixtures
import Testing

@Suite("open accepts paths and file URLs, and names what it refuses")
final class OpenFilesTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    @Test(
        "a file given by its URL",
        arguments: [
            ("ticket.pkpass", "file://%/ticket.pkpass"),
            ("ticket.pkpass", "file://localhost%/ticket.pkpass"),
            ("ticket.pkpass", "file:%/ticket.pkpass"),
            ("ticket.pkpass", "FILE://LOCALHOST%/ticket.pkpass"),
            ("ti cket%20.pkpass", "file://%/ti%20cket%2520.pkpass"),
            ("été.pkpass", "file://%/%C3%A9t%c3%a9.pkpass"),
            ("a?b#c.pkpass", "file://%/a?b#c.pkpass"),
            ("file:ticket.pkpass", "./file:ticket.pkpass"),
        ])
    func urls(name: String, argument: String) throws {
        try home.write(passes.data("trusted.pkpass"), to: name)
        let url = argument.replacing("%/", with: "\(home.folder.path)/", maxReplacements: 1)
        let result = try program.run(["open"] + passes.trust + [url])
        #expect(result.status == 0)
        #expect(result.output.contains("  Verdict   trusted: "))
        #expect(result.errors == "")
    }

    @Test(
        "anything but a local file is refused with a reason",
        arguments: [
            ("file://elsewhere.example/ticket.pkpass", "this file is on another computer"),
            ("file:ticket.pkpass", "this is not the URL of a file"),
            ("file:///ticket%2", "this is not the URL of a file"),
            ("file:///ticket%zz.pkpass", "this is not the URL of a file"),
            ("file:///ticket%00.pkpass", "this is not the URL of a file"),
            ("HTTP://127.0.0.1/ticket.pkpass", "127.0.0.1 would be fetched over http"),
            ("https://127.0.0.1/ticket.pkpass", "127.0.0.1 is a loopback address"),
            ("ftp://example.org/ticket.pkpass", "ftp: URLs are not supported, only https:, http:,"),
            ("nowhere.pkpass", "no such file or directory"),
            (".", "is a directory"),
        ])
    func refused(argument: String, reason: String) throws {
        let result = try program.run(["open", argument])
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("passconduit: "))
        #expect(result.errors.contains(": \(reason)"))
    }

    @Test("an unreadable file does not stop the others")
    func others() throws {
        let result = try program.onTerminal(
            ["open", "nowhere.pkpass"] + passes.trust + [passes.path("trusted.pkpass")],
            typing: "y\n")
        #expect(result.status == 2)
        #expect(result.output.contains("added      Example Air"))
    }

    @Test("open asks at most a hundred questions")
    func tooMany() throws {
        let mails = try (0..<51).map { _ in try passes.data("mail.mbox") }.reduce(Data(), +)
        let file = try home.write(mails, to: "many.mbox").path
        let result = try program.run(["open", file])
        #expect(result.status == 2)
        #expect(result.errors.contains("many.mbox: there are more than 100 passes (`import` adds"))
        #expect(result.lines.count { $0.hasPrefix("  Verdict   ") } == 100)
    }

    /// File names, as printf formats.
    static let hostile = [
        "; touch x", "$(touch x)", "`touch x`.pkpass", "-rf", "--yes", "it's.pkpass", "a\nb",
        "\\377.pkpass", "\\033[31mred", "\\342\\200\\256gpj",
    ]

    @Test("any file name is handled literally", arguments: hostile)
    func hostileName(name: String) throws {
        let format = name.replacing("'", with: "'\\''")
        let line = """
            name="$(printf -- '\(format)'; printf x)" && name="${name%x}"
            cp '\(passes.path("trusted.pkpass"))' "./$name"
            """
        let trust = passes.trust.map { "'\($0)'" }.joined(separator: " ")
        let result = try program.shell("\(line)\n\"$PROGRAM\" open \(trust) -- \"$name\"")
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(result.output.contains("  Verdict   trusted: "))
        let control = result.output.unicodeScalars.contains {
            $0 != "\n" && $0.properties.generalCategory == .control || $0.value == 0x202E
        }
        #expect(!control)
        #expect(!FileManager.default.fileExists(atPath: home.path("x")))
        // The suggested command works if the name is printable.
        let advice = try #require(result.output.components(separatedBy: "To add it: ").last)
        let command = advice.replacing("passconduit ", with: "\"$PROGRAM\" ", maxReplacements: 1)
        let followed = try program.shell(command)
        #expect(!FileManager.default.fileExists(atPath: home.path("x")))
        guard !name.contains("\\"), !name.contains("\n") else { return }
        #expect(followed.status == 0)
        #expect(followed.output.hasPrefix("added      trusted"))
    }

    @Test(
        "without a terminal nothing is added, and a command to add it is printed",
        arguments: [
            ("trusted.pkpass", 0, "import "), ("untrusted.pkpass", 3, "import --accept untrusted "),
            ("unsigned.pkpass", 3, "import --accept unsigned "), ("tampered.pkpass", 3, nil),
            ("html.pkpass", 3, nil), ("bundle.pkpasses", 3, "import --accept unsigned "),
        ] as [(String, Int32, String?)])
    func noTerminal(file: String, status: Int32, command: String?) throws {
        let result = try program.run(["open"] + passes.trust + [passes.path(file)])
        #expect(result.status == status)
        #expect(result.output.contains("  Verdict   "))
        let advice = result.lines.last { $0.hasPrefix("Nothing was added. To add it: ") }
        #expect((advice != nil) == (command != nil))
        if let command { #expect(advice?.contains("passconduit \(command)") == true) }
        #expect(advice?.hasSuffix(" \(passes.path(file))") != false)
        #expect(!FileManager.default.fileExists(atPath: home.library.path))
    }
}
