import Foundation
import Testing

@Suite("--links lists links to passes and fetches nothing")
final class LinksTests {
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home()
        program = Program(home: home)
        try home.write(
            Data(
                """
                From: Ada <ada@example.org>
                Message-ID: <1@example.org>
                Date: Wed, 1 May 2024 10:01:00 +0000
                Subject: Trip
                Content-Type: text/html; charset=utf-8

                <a href="https://x.example/a.pkpass?\u{202E}=&#27;">Your ticket</a>, and
                https://x.example/v1/passes/pass.x.example/1
                data:application/vnd.apple.pkpass;base64,\(String(repeating: "UEsD", count: 600))

                """.utf8), to: "mail.eml")
    }

    deinit { home.remove() }

    @Test("one line each, escaped and shortened", arguments: ["scan", "import"])
    func lines(command: String) throws {
        let result = try program.run([command, "--links", "mail.eml"])
        let refused = command == "import" ? "refused    " : ""
        let place = "mail.eml, message 1, part 1"
        #expect(
            result.lines == [
                #"link       https://x.example/a.pkpass?\u{202E}=\u{1B}  "# + place,
                "link       https://x.example/v1/passes/pass.x.example/1  \(place)",
                "link       data:application/vnd.apple.pkpass;base64,UEsDUEsDUEsDUEsDUEs... (2.4 kB)"
                    + "  \(place)",
                "\(refused)malformed  -              \(place) - not a ZIP archive",
            ])
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test("records in the documented form, counted in the summary")
    func records() throws {
        let result = try program.run(["scan", "--links", "--json", "mail.eml"])
        let golden = #"""
            {"version":1,"record":"link","source":"mail.eml","message":{"index":0,"offset":0,\#
            "messageID":"1@example.org","from":"Ada <ada@example.org>",\#
            "date":"Wed, 1 May 2024 10:01:00 +0000","subject":"Trip"},"part":"1",\#
            "url":"https://x.example/v1/passes/pass.x.example/1","evidence":["host"]}
            """#
        #expect(result.lines.count == 5)
        #expect(result.lines.dropFirst().first == golden)
        #expect(result.records[0]["evidence"] as? [String] == ["extension"])
        #expect(result.records[2]["evidence"] as? [String] == ["mime"])
        #expect(result.records[2]["size"] as? Int == 2441)
        #expect((result.records[2]["url"] as? String)?.utf8.count == 256)
        // The contents of a data: URL are in the mail itself.
        #expect(result.records[3]["verdict"] as? String == "malformed")
        #expect(result.records[4]["links"] as? Int == 3)
        #expect(result.records[4]["candidates"] as? Int == 1)
    }

    @Test("without the option no link is listed")
    func without() throws {
        let result = try program.run(["scan", "--json", "mail.eml"])
        #expect(result.records.map { $0["record"] as? String } == ["pass", "summary"])
        #expect(result.records.last?["links"] == nil)
        #expect(result.status == 0)
    }

    @Test("without a link the exit code is 1")
    func nothingFound() throws {
        let input = Data("Subject: x\n\nhttps://www.apple.com/wallet\n".utf8)
        let result = try program.run(["scan", "--links", "-"], input: input)
        #expect(result.status == 1)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("passconduit: no passes and no links in 1 message, "))
    }
}
