import Foundation
import PassFixtures
import Testing

@Suite("With --tee the message is written out unchanged, whatever happens to its passes")
final class DeliverTeeTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "tee")
        program = Program("passconduit-deliver", home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private func mail(_ attachment: String, lineEnd: String = "\n") throws -> Data {
        let octets = try passes.data(attachment).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithLineFeed])
        let lines = [
            "From: Ada <ada@example.org>", "Subject: Trip", "MIME-Version: 1.0",
            "Content-Type: application/octet-stream; name=\(attachment)",
            "Content-Transfer-Encoding: base64", "", octets.replacing("\n", with: lineEnd), "",
        ]
        return Data(lines.joined(separator: lineEnd).utf8)
    }

    /// Runs the program and returns the bytes it writes.
    private func tee(
        _ arguments: [String], _ input: Data
    ) throws -> (status: Int32, output: Data, errors: String) {
        try home.write(input, to: "input")
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let result = try program.shell("\"$PROGRAM\" \(words) < input > output")
        let output = try Data(contentsOf: URL(fileURLWithPath: home.path("output")))
        return (result.status, output, result.errors)
    }

    @Test(
        "byte for byte",
        arguments: [
            Data(), Data("\n".utf8), Data("no mail at all, and no end of a line".utf8),
            Data([0, 0xFF, 0x0D, 0x0A, 0x80, 0x00]), Data("To: a\r\rb\r".utf8),
            Data("PK\u{3}\u{4}".utf8), Data("From: a\n\n".utf8) + Data(count: 3_000_000),
            Data("From: a\n\n".utf8) + Data(count: (256 << 10) - 9),
        ])
    func exact(input: Data) throws {
        let result = try tee(["--tee"], input)
        #expect(result.status == 0)
        #expect(result.output == input)
        // The result is unknown, so no header field is added.
        #expect(try tee(["--header"], input).output == input)
    }

    @Test(
        "with every kind of pass",
        arguments: ["trusted", "untrusted", "unsigned", "tampered", "html", "five", "bomb"])
    func passes(name: String) throws {
        let input = try mail("\(name).pkpass")
        let result = try tee(["--tee"] + passes.trust, input)
        #expect(result.status == 0)
        #expect(result.output == input)
    }

    @Test(
        "a header field reports the result for each pass",
        arguments: [
            ("trusted", "added pass.example.test/0001 trusted"),
            ("untrusted", "refused pass.example.test/0001 untrusted"),
            ("unsigned", "refused pass.example.test/0002 unsigned"),
            ("tampered", "refused pass.example.test/0001 tampered"),
            ("html", "refused - malformed"),
        ])
    func header(name: String, field: String) throws {
        for lineEnd in ["\n", "\r\n"] {
            let input = try mail("\(name).pkpass", lineEnd: lineEnd)
            let arguments = passes.trust + ["--library", "library\(lineEnd.utf8.count)"]
            let result = try tee(["--header"] + arguments, input)
            #expect(result.status == 0)
            let expected = Data("X-Passconduit: \(field)\(lineEnd)".utf8) + input
            #expect(result.output == expected)
            // A second run finds no further pass and removes the fields of the first as forged.
            let again = try tee(["--header"] + arguments, result.output)
            let second = field.replacing("added", with: "unchanged")
            #expect(again.output == Data("X-Passconduit: \(second)\(lineEnd)".utf8) + input)
        }
    }

    @Test("a hostile serial number stays a single word on a single line")
    func hostileSerialNumber() throws {
        let made = try program.shell(
            """
            python3 -c '
            import json, sys, zipfile
            serial = sys.argv[1].encode().decode("unicode_escape")
            with zipfile.ZipFile("hostile.pkpass", "w") as archive:
                archive.writestr("pass.json", json.dumps({
                    "formatVersion": 1, "passTypeIdentifier": "pass.example.x",
                    "serialNumber": serial, "teamIdentifier": "A1B2C3D4E5",
                    "organizationName": "Example", "description": "Ticket", "generic": {}}))
            ' 'a b\\r\\nBcc: x%\\u00e9'
            cat - hostile.pkpass > mail <<'END'
            From: a@example.org
            Content-Type: application/vnd.apple.pkpass

            END
            """)
        try #require(made.status == 0, "\(made.errors)")
        let input = try Data(contentsOf: URL(fileURLWithPath: home.path("mail")))
        let result = try tee(["--header"], input)
        let field = "refused pass.example.x/a%20b%0D%0ABcc:%20x%25%C3%A9 unsigned"
        #expect(result.output == Data("X-Passconduit: \(field)\n".utf8) + input)
    }

    @Test(
        "if the library cannot store the pass, the message is still written",
        arguments: [true, false])
    func noLibrary(addsHeader: Bool) throws {
        let input = try mail("trusted.pkpass")
        let result = try tee(
            [addsHeader ? "--header" : "--tee", "--library", "/proc/library"] + passes.trust, input)
        #expect(result.status == 75)
        #expect(result.output == input)
    }

    @Test("even if the message cannot be spooled", arguments: ["--tee", "--header"])
    func noRoom(option: String) throws {
        let line =
            "(printf 'To: a\\n\\n'; head -c 5000000 /dev/urandom) > input; "
            + "cat input | (ulimit -f 1000; exec \"$PROGRAM\" \(option)) | cmp - input"
        let result = try program.shell(line)
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.errors
                == "passconduit-deliver: the message: cannot write: file too large\n")
    }

    @Test("if the reader is gone, the mail system retries, and the pass is stored")
    func noReader() throws {
        try home.write(mail("trusted.pkpass"), to: "mail")
        let words = (["--tee"] + passes.trust).joined(separator: " ")
        let result = try program.shell("\"$PROGRAM\" \(words) < mail > /dev/full; echo $?")
        #expect(result.lines == ["75"])
        #expect(
            result.errors == "passconduit-deliver: the message was not handed on: cannot write: "
                + "no space left on device\n")
        #expect(try Program(home: home).run(["list", "--json"]).records.count == 1)
    }
}
