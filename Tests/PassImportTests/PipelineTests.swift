import Foundation
import PassContainers
import PassStore
import PassVerification
import Testing

@testable import PassImport

@Suite("Verified passes are returned in the order of the mail")
struct PipelineTests {
    private static let gate4 = "trusted/boarding-pass-air-gate-4"
    private static let gate7 = "trusted/boarding-pass-air-gate-7"

    @Test("with any number of workers")
    func jobs() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let (four, seven) = (
            try MailTree.sample(PipelineTests.gate4), try MailTree.sample(PipelineTests.gate7)
        )
        let plain = "Subject: x\n\n\(String(repeating: "hello\n", count: 99))"
        for index in 0..<150 {
            try tree.write(
                index % 9 == 0 ? MailTree.message("m\(index)", four) : plain,
                to: "mail/\(index % 7)/\(index).eml")
        }
        try tree.write(four, to: "a.pkpass")
        try tree.write("not a pass", to: "b.pkpass")
        try FileManager.default.createSymbolicLink(
            atPath: tree.url.path + "/loop", withDestinationPath: ".")
        var messages: [String] = []
        for index in 0..<200 {
            messages.append(index % 5 == 0 ? MailTree.message("\(index)", seven) : plain)
            // A message whose length includes lines that look like further messages.
            if index % 17 == 0 {
                let inner = MailTree.mbox(Array(repeating: plain, count: 8))
                messages.append("Subject: l\nContent-Length: \(inner.utf8.count)\n\n\(inner)")
            }
        }
        try tree.write(MailTree.mbox(messages), to: "z.mbox")
        var options = try MailTree.options()
        let whole = try await tree.run(options)
        #expect(whole.lines.count == 17 + 2 + 40)
        #expect(whole.summary.linksNotFollowed == 1)
        #expect(whole.summary.messages == 150 + 200 + 12)
        for (jobs, size) in [(1, 4 << 10), (2, 4 << 10), (3, 10_000), (8, 1 << 10), (8, 32 << 20)] {
            options.jobs = jobs
            options.rangeSize = size
            let result = try await tree.run(options)
            #expect(result.lines == whole.lines)
            #expect(result.summary == whole.summary)
        }
    }

    @Test("a library stores every version, with the newest as the current one")
    func versions() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let (four, seven) = (
            try MailTree.sample(PipelineTests.gate4), try MailTree.sample(PipelineTests.gate7)
        )
        try tree.write(four, to: "1.pkpass")
        try tree.write(seven, to: "2.pkpass")
        try tree.write(
            MailTree.mbox([MailTree.message("a", four), MailTree.message("b", seven)]),
            to: "3.mbox")
        var options = try MailTree.options()
        let library = try PassLibrary(at: tree.url.appendingPathComponent("library"), for: .writing)
        options.library = library
        options.jobs = 3
        let result = try await tree.run(options, ["2.pkpass", "1.pkpass", "2.pkpass", "3.mbox"])
        let second = MailTree.mbox([MailTree.message("a", four)]).utf8.count
        let expected = [
            "2.pkpass  2.pkpass trusted added", "1.pkpass  1.pkpass trusted older",
            "2.pkpass  2.pkpass trusted unchanged",
            "3.mbox 0@0 2 ticket.pkpass trusted unchanged",
            "3.mbox 1@\(second) 2 ticket.pkpass trusted unchanged",
        ]
        #expect(result.lines == expected)
        let other = try PassLibrary(at: tree.url.appendingPathComponent("other"), for: .writing)
        options.library = other
        let again = try await tree.run(options, ["1.pkpass", "2.pkpass", "1.pkpass"])
        #expect(again.outcomes == ["added", "updated", "unchanged"])
    }

    @Test("untrusted passes are stored if the user accepts them; tampered ones never")
    func policy() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(
            try MailTree.sample("unsigned/manifest-without-signature"), to: "1.pkpass")
        try tree.write(try MailTree.sample("tampered/file-changed"), to: "2.pkpass")
        try tree.write(try MailTree.sample("malformed/five-bytes"), to: "3.pkpass")
        var options = try MailTree.options()
        options.library = try PassLibrary(
            at: tree.url.appendingPathComponent("library"), for: .writing)
        try tree.write(try MailTree.sample("untrusted/other-authority"), to: "4.pkpass")
        let names = ["1.pkpass", "2.pkpass", "3.pkpass", "4.pkpass"]
        let none = ["refused", "refused", "refused", "refused"]
        #expect(try await tree.run(options, names).outcomes == none)
        options.policy = AdmissionPolicy(accepting: [.unsigned, .tampered, .malformed])
        #expect(
            try await tree.run(options, names).outcomes
                == ["added", "refused", "refused", "refused"])
        options.policy = AdmissionPolicy(accepting: [.untrusted])
        #expect(
            try await tree.run(options, names).outcomes
                == ["refused", "refused", "refused", "added"])
    }

    @Test("a message encoded in a message is opened, up to the depth limit")
    func encodedMessages() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        var message = MailTree.message("inner", try MailTree.sample(PipelineTests.gate4))
        for level in 1...6 {
            message =
                "Subject: \(level)\nContent-Type: message/rfc822\n"
                + "Content-Transfer-Encoding: base64\n\n"
                + MailTree.base64(Data(message.utf8)) + "\n"
            try tree.write(message, to: "\(level).eml")
        }
        let lines = try await tree.run(try MailTree.options()).lines
        #expect(lines.prefix(5).allSatisfy { $0.hasSuffix("2 ticket.pkpass trusted") })
        #expect(lines.count == 6 && lines[5].hasSuffix("limit-nesting"))
    }

    @Test("lines may end in carriage returns alone")
    func carriageReturns() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let message = MailTree.message("old", try MailTree.sample(PipelineTests.gate4))
        for (name, text) in [("a.eml", message), ("b.mbox", MailTree.mbox([message, message]))] {
            try tree.write(text.replacing("\n", with: "\r"), to: name)
            try tree.write(text, to: "\(name).plain")
        }
        let lines = try await tree.run(try MailTree.options()).lines
        #expect(lines.count == 6)
        let plain = lines.filter { $0.contains(".plain") }.map { $0.replacing(".plain", with: "") }
        #expect(lines.filter { !$0.contains(".plain") } == plain)
    }

    @Test(
        "holes in sparse files are skipped, and what follows them is read", .timeLimit(.minutes(1)))
    func sparse() async throws {
        let pass = try MailTree.sample(PipelineTests.gate4)
        let rerun = try Rerun(["m.mbox", "m.eml", "empty.mbox", "zeros.mbox"])
        defer { rerun.remove() }
        let mail = MailTree.mbox([MailTree.message("1", pass)])
        try rerun.tree.write(mail, to: "m.mbox")
        try rerun.tree.write("\n" + mail, to: "end")
        try rerun.tree.write(MailTree.message("1", pass), to: "m.eml")
        try rerun.tree.write("From: a@example.com\n", to: "empty.mbox")
        try rerun.tree.shell(
            "truncate -s 500G m.mbox m.eml empty.mbox zeros.mbox; cat end >> m.mbox")
        let second = (500 << 30) + 1
        let found = ["m.mbox 0@0", "m.mbox 1@\(second)", "m.eml 0@0"]
        #expect(
            try await rerun.again().found == found.map { "\($0) 2 ticket.pkpass trusted" })
        try rerun.tree.write(mail, to: "more")
        try rerun.tree.shell("cat more >> m.mbox")
        let third = second + mail.utf8.count
        #expect(
            try await rerun.again().found.filter { $0.hasPrefix("m.mbox") } == [
                "m.mbox 2@\(third) 2 ticket.pkpass trusted"
            ])
    }

    @Test("a delimiter of a message that was cut off does not hide parts of those after it")
    func dividedMessages() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = MailTree.base64(try MailTree.sample("trusted/generic-gym"))
        let cutOff = "Subject: a\nContent-Type: multipart/mixed; boundary=X\n\n--X\n\ntext\n"
        let quoting =
            "Subject: b\nContent-Type: multipart/mixed; boundary=Y\n\n--Y\n\nYou sent:\n\n--X\n"
            + "Content-Type: text/plain\n\ntext\n--Y\nContent-Type: application/octet-stream; "
            + "name=t.pkpass\nContent-Transfer-Encoding: base64\n\n\(pass)\n--Y--\n"
        try tree.write(MailTree.mbox([cutOff, quoting]), to: "a.mbox")
        #expect(try await tree.run(try MailTree.options()).outcomes == ["trusted"])
    }

    @Test("an unreadable file is reported, and the rest is read")
    func problems() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample(PipelineTests.gate4)
        for name in ["a.pkpass", "m.pkpass", "z.pkpass"] { try tree.write(pass, to: name) }
        try FileManager.default.createSymbolicLink(
            atPath: tree.url.path + "/b", withDestinationPath: "nowhere")
        try tree.write(zip("a('a.pkpass'); a('bomb.pkpass', b'x' * 9000000)"), to: "c.zip")
        try tree.write(zip("a('only.pkpass', b'x' * 9000000)"), to: "d.zip")
        let lines = try await tree.run(try MailTree.options(), ["", "gone"]).lines
        #expect(
            lines == [
                "a.pkpass  a.pkpass trusted", "b dangling-link", "c.zip !a.pkpass a.pkpass trusted",
                "c.zip !bomb.pkpass unreadable", "d.zip !only.pkpass unreadable",
                "m.pkpass  m.pkpass trusted", "z.pkpass  z.pkpass trusted", "gone vanished",
            ])
    }

    @Test("a member with a damaged name is found in a ZIP as in a tar", arguments: ["zip", "tar"])
    func damagedNames(format: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        for name in ["'a.pkpass'", "b.pkpass.", "c\\d.pkpass"] { try tree.write("none", to: name) }
        let pack = format == "zip" ? "python3 -m zipfile -c" : "tar cf"
        try tree.shell("\(pack) x.\(format) *pkpass*")
        let lines = try await tree.run(try MailTree.options(), ["x.\(format)"]).lines
        #expect(
            lines.sorted() == [
                "x.\(format) !'a.pkpass' a.pkpass malformed",
                "x.\(format) !b.pkpass. b.pkpass malformed",
                "x.\(format) !c\\d.pkpass d.pkpass malformed",
            ])
    }

    @Test("nested archives are opened up to a depth, within one limit for all")
    func nestedArchives() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(
            zip(
                "d = p\nfor i in range(7): d = z({f'{i}.zip': d} if i else {'t.pkpass': d})\nb = d"),
            to: "deep.zip")
        try tree.write(
            zip("b = z({f'{i}.zip': z({f'{j}.pkpass': p for j in range(9)}) for i in range(9)})"),
            to: "wide.zip")
        var options = try MailTree.options()
        let deep = try await tree.run(options, ["deep.zip"]).lines
        #expect(deep == ["deep.zip !6.zip!5.zip!4.zip!3.zip!2.zip limit-depth"])
        #expect(try await tree.run(options, ["wide.zip"]).lines.count == 81)
        // Only in mail are the numbers of members and entries limited.
        (options.containers.members, options.containers.entries) = (25, 100)
        #expect(try await tree.run(options, ["wide.zip"]).lines.count == 81)
        (options.containers.total, options.containers.ratio) = (200_000, 1)
        let total = try await tree.run(options, ["wide.zip"]).lines
        #expect(total.count < 60 && total.last?.hasSuffix("limit-inflated") == true)
    }

    @Test("a bundle with more passes and bytes than Apple allows is read")
    func largeBundle() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(try MailTree.sample(PipelineTests.gate4), to: "p")
        try tree.shell(
            """
            python3 -c '
            import zipfile
            with zipfile.ZipFile("journey.pkpasses", "w") as bundle:
                bundle.writestr("filler", bytes(151 << 20))
                for i in range(11): bundle.write("p", f"{i}.pkpass")
            '
            rm p
            """)
        let outcomes = try await tree.run(try MailTree.options()).outcomes
        #expect(outcomes == Array(repeating: "trusted", count: 11))
    }

    @Test("passes that inflate to many times their size count towards one limit")
    func verifiedPasses() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let bomb =
            "m = bytes(1 << 20); q = z({'pass.json': b'{}', **{str(i): m for i in range(9)}})"
        try tree.write(zip("\(bomb); b = z({f'{i:02}.pkpass': q for i in range(30)})"), to: "zip")
        try tree.write(zip("b = z({f'{i:03}.pkpass': p for i in range(100)})"), to: "sound")
        try tree.write(
            zip(
                """
                import base64
                \(bomb)
                part = (b'--x\\nContent-Type: application/zip\\n'
                        b'Content-Transfer-Encoding: base64\\n\\n' + base64.encodebytes(q))
                b = (b'Subject: x\\nContent-Type: multipart/mixed; boundary=x\\n\\n'
                     + part * 30 + b'--x--\\n')
                """), to: "mail.eml")
        var options = try MailTree.options()
        options.containers.total = 64 << 20
        for name in ["zip", "mail.eml"] {
            let lines = try await tree.run(options, [name]).lines
            // Each pass inflates to nine megabytes.
            #expect(lines.count == (name == "zip" ? 9 : 8))
            #expect(lines.last?.hasSuffix("limit-inflated") == true)
        }
        options.containers.total = 4 << 20
        #expect(try await tree.run(options, ["sound"]).lines.count == 100)
    }

    @Test("the best decoding of a part is used")
    func readings() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = MailTree.base64(try MailTree.sample(PipelineTests.gate4))
        let encodings = [
            "base64", "7bit", "quoted-printable", "BASE64;", "\"base64\"", "x-unknown",
        ]
        for (index, encoding) in encodings.enumerated() {
            try tree.write(
                "Subject: x\nContent-Type: application/octet-stream\n"
                    + "Content-Transfer-Encoding: \(encoding)\n\n\(pass)\n", to: "\(index).eml")
        }
        let lines = try await tree.run(try MailTree.options()).lines
        #expect(lines.count == encodings.count)
        #expect(lines.allSatisfy { $0.hasSuffix("trusted") })
    }

    /// An archive that a Python script writes. `a` adds a member, by default the sample pass. `b`
    /// is the archive; `z` makes one from a dictionary.
    private func zip(_ script: String) throws -> Data {
        let program = """
            import sys, zipfile, io
            p = open(sys.argv[2], 'rb').read()
            def z(members):
                out = io.BytesIO()
                with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as file:
                    for name, data in members.items(): file.writestr(name, data)
                return out.getvalue()
            members = {}
            def a(name, data=p): members[name] = data
            b = None
            exec(sys.argv[1])
            sys.stdout.buffer.write(b or z(members))
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let sample = MailTree.package
            .appendingPathComponent("Samples/passes/\(PipelineTests.gate4).pkpass").path
        process.arguments = ["python3", "-c", program, script, sample]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return data
    }
}
