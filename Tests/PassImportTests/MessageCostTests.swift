import Foundation
import MailSource
import PassContainers
import PassVerification
import Testing

@testable import PassImport

@Suite("One message stays within its limits, whatever it contains")
struct MessageCostTests {
    /// A message declared as a pass that is not one.
    private static func claim(_ number: Int) -> String {
        "Subject: \(number)\nContent-Type: text/plain; name=\(number).pkpass\n\nnone\n"
    }

    /// A message with files: their names and bytes.
    private static func message(_ files: [(name: String, bytes: Data)]) -> String {
        let parts = files.map { file in
            "--b\nContent-Type: application/octet-stream; name=\"\(file.name)\"\n"
                + "Content-Transfer-Encoding: base64\n\n\(MailTree.base64(file.bytes))\n"
        }
        return "Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n"
            + parts.joined() + "--b--\n"
    }

    private static func passes(_ count: Int) throws -> String {
        let pass = try MailTree.sample("trusted/generic-gym")
        return message((1...count).map { ("\($0).pkpass", pass) })
    }

    private static func mailbox(_ count: Int) -> Data {
        Data(MailTree.mbox((0..<count).map(claim)).utf8)
    }

    @Test(
        "results within a message are delivered in steps, with the same contents",
        arguments: [
            "mailbox in a mail", "mailbox in a mail in a mailbox", "parts", "archive", "pieces",
        ])
    func steps(shape: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let outer = Self.message([("a.mbox", Self.mailbox(300)), ("b.mbox", Self.mailbox(300))])
        switch shape {
        case "mailbox in a mail": try tree.write(outer, to: "m.eml")
        case "mailbox in a mail in a mailbox":
            try tree.write(MailTree.mbox([Self.claim(1), outer, Self.claim(2), outer]), to: "m")
        case "parts":
            let files = (0..<600).map { ("\($0).pkpass", Data("none".utf8)) }
            try tree.write(Self.message(files), to: "m.eml")
        case "archive":
            try tree.write(Self.mailbox(600), to: "a.mbox")
            try tree.shell("python3 -m zipfile -c m.zip a.mbox; rm a.mbox")
        default:
            let half = outer.utf8.count / 2
            let cut = try #require(outer.utf8.dropFirst(half).firstIndex(of: 0x0A))
            let halves = [outer[...cut], outer[outer.utf8.index(after: cut)...]]
            let pieces = halves.enumerated().map { index, text in
                "Message-ID: <\(index)@x>\nContent-Type: message/partial; id=\"q@x\"; "
                    + "number=\(index + 1); total=2\n\n\(text)"
            }
            try tree.write(MailTree.mbox(pieces), to: "m")
        }
        var options = try MailTree.options()
        (options.heldEvents, options.message.listed) = (.max, .max)
        let whole = try await tree.run(options).lines
        #expect(whole.count >= 600)
        options.heldEvents = 20
        #expect(try await tree.run(options).lines == whole)
        var plan = WorkPlan([.path(Path(Array(tree.url.path.utf8)))], options)
        var memory: ScanCache?
        var shelf = PartialMessageAssembler(options)
        var most = 0
        while let work = plan.next(&memory) {
            var result: WorkResult? = SourceScanner(work, options).proceed()
            while let step = result {
                shelf.take(step)
                while let part = shelf.next() { most = max(most, part.events.count) }
                result = step.rest?.proceed()
            }
        }
        #expect(most >= 20)
        // Opening a single item may add several events at once.
        #expect(most < 40)
    }

    @Test("mailboxes in a mail are limited in messages; those given by name are not")
    func messages() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let boxes = [("a.mbox", Self.mailbox(20)), ("b.mbox", Self.mailbox(20))]
        let more = [("a.mbox", Self.mailbox(20)), ("b.mbox", Self.mailbox(21))]
        try tree.write(Self.message(boxes), to: "1.eml")
        try tree.write(MailTree.mbox([Self.message(more), Self.claim(7)]), to: "2.mbox")
        try tree.write(Self.mailbox(41), to: "a.mbox")
        try tree.shell("python3 -m zipfile -c 3.zip a.mbox; rm a.mbox")
        var options = try MailTree.options()
        (options.message.messages, options.message.listed) = (40, .max)
        let lines = try await tree.run(options).lines
        #expect(lines.count { $0.hasPrefix("1.eml") && $0.hasSuffix("malformed") } == 40)
        #expect(lines.count { $0.hasPrefix("2.mbox 0@") && $0.hasSuffix("malformed") } == 40)
        #expect(lines.filter { $0.contains("limit") } == ["2.mbox 0@0 2 limit-messages"])
        #expect(lines.last { $0.hasPrefix("2.mbox") }?.hasSuffix("7.pkpass malformed") == true)
        #expect(lines.count { $0.hasPrefix("3.zip") && $0.hasSuffix("malformed") } == 41)
        // In an archive given by name, each mail has its own limits.
        try tree.write(
            MailTree.mbox([Self.message(more), Self.message(boxes), Self.claim(7)]), to: "4")
        try tree.shell("python3 -m zipfile -c 4.zip 4; rm 4")
        let packed = try await tree.run(options, ["4.zip"]).lines
        #expect(packed.count { $0.hasPrefix("4.zip 0@") && $0.hasSuffix("malformed") } == 40)
        #expect(packed.count { $0.hasPrefix("4.zip 1@") && $0.hasSuffix("malformed") } == 40)
        #expect(packed.filter { $0.contains("limit") } == ["4.zip 0@0 !4!2 limit-messages"])
        #expect(packed.last?.hasSuffix("7.pkpass malformed") == true)
    }

    @Test("an archive in a message is limited in entries; one given by name may have more")
    func entries() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/generic-gym")
        for count in [40, 41] {
            try tree.write(pass, to: "\(count)/t.pkpass")
            for number in 1..<count { try tree.write("-", to: "\(count)/\(number).txt") }
            try tree.shell("cd \(count); python3 -m zipfile -c ../\(count).zip *; rm *")
            let archive = try Data(contentsOf: tree.url.appendingPathComponent("\(count).zip"))
            try tree.write(Self.message([("a.zip", archive)]), to: "\(count).eml")
        }
        var options = try MailTree.options()
        options.message.entries = 40
        #expect(
            try await tree.run(options).lines == [
                "40.eml 0@0 1!t.pkpass t.pkpass trusted", "40.zip !t.pkpass t.pkpass trusted",
                "41.eml 0@0 1 limit-archive", "41.zip !t.pkpass t.pkpass trusted",
            ])
    }

    @Test("a message that takes too long is reported once, and the next one is read")
    func time() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let message = try Self.passes(3)
        try tree.write(MailTree.mbox([message, message]), to: "m.mbox")
        var options = try MailTree.options()
        #expect(try await tree.run(options).lines.count == 6)
        (options.message.seconds, options.message.secondsPerMiB) = (0, 0)
        let offset = MailTree.mbox([message]).utf8.count
        // The limit is exceeded after the first pass was verified.
        #expect(
            try await tree.run(options).lines == [
                "m.mbox 0@0 1 1.pkpass trusted", "m.mbox 0@0 2 limit-time",
                "m.mbox 1@\(offset) 1 1.pkpass trusted", "m.mbox 1@\(offset) 2 limit-time",
            ])
    }

    @Test("so is a message with too much to decode, even in an archive given by name")
    func work() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let message = try Self.passes(6)
        let box = MailTree.mbox([message, message])
        try tree.write(box, to: "1.mbox")
        try tree.write(box, to: "2")
        try tree.shell("python3 -m zipfile -c 2.zip 2; rm 2")
        var options = try MailTree.options()
        // Less than needed to decode and inflate the six passes, but enough to inflate the archive.
        (options.message.bytes, options.message.ratio) = (box.utf8.count, 0)
        for name in ["1.mbox", "2.zip"] {
            let lines = try await tree.run(options, [name]).lines
            let ofFirst = lines.filter { $0.hasPrefix("\(name) 0@") }
            let ofSecond = lines.filter { $0.hasPrefix("\(name) 1@") }
            #expect(ofFirst.count + ofSecond.count == lines.count)
            for lines in [ofFirst, ofSecond] {
                #expect(lines.count { $0.hasSuffix("trusted") } == lines.count - 1)
                #expect(lines.last?.hasSuffix("limit-work") == true)
                #expect((3...6).contains(lines.count))
            }
            #expect(ofFirst.count == ofSecond.count)
        }
    }

    @Test(
        "the first ten malformed passes of a message are listed and the others counted",
        arguments: ["parts", "uuencoded", "zip", "mailbox", "messages"])
    func malformed(shape: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = ("t.pkpass", try MailTree.sample("trusted/generic-gym"))
        let none = (0..<30).map { ("\($0).pkpass", Data("none".utf8)) }
        switch shape {
        case "parts":
            try tree.write(Self.message(none + [pass]), to: "m.eml")
        case "uuencoded":
            let files = (0..<30).map { "begin 644 \($0).pkpass\n#86)C\n`\nend\n\n" }.joined()
            let text = "--b\nContent-Type: text/plain\n\n\(files)"
            let mail = Self.message([pass])
            let first = try #require(mail.range(of: "--b\n"))
            try tree.write(mail.replacingCharacters(in: first, with: "\(text)--b\n"), to: "m.eml")
        case "zip":
            for (name, bytes) in none { try tree.write(bytes, to: name) }
            try tree.shell("python3 -m zipfile -c m.zip *.pkpass; rm *.pkpass")
            let zip = try Data(contentsOf: tree.url.appendingPathComponent("m.zip"))
            try tree.shell("rm m.zip")
            try tree.write(Self.message([("a.zip", zip), pass]), to: "m.eml")
        case "mailbox":
            try tree.write(Self.message([("a.mbox", Self.mailbox(30)), pass]), to: "m.eml")
        default:
            // Each message has a list of its own, also in an archive.
            for number in 1...2 { try tree.write(Self.message(none + [pass]), to: "\(number).eml") }
            try tree.shell("python3 -m zipfile -c m.zip *.eml; rm *.eml")
        }
        let run = try await tree.run(MailTree.options())
        let lines = run.lines
        let messages = shape == "messages" ? 2 : 1
        #expect(lines.count { $0.hasSuffix(" malformed") } == 10 * messages)
        #expect(lines.count { $0.hasSuffix("t.pkpass trusted") } == messages)
        #expect(lines.count { $0.hasSuffix(" more-malformed") } == messages)
        #expect(lines.count == 12 * messages)
        #expect(run.summary.verdicts[.malformed] == 30 * messages)
    }

    @Test("so are the problems of a message")
    func problems() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let elsewhere =
            "--b\nContent-Type: message/external-body; access-type=URL; URL=\"http://a/a.pkpass\""
            + "\n\nContent-Type: application/x\n\n"
        let mail =
            "Subject: flood\nContent-Type: multipart/mixed; boundary=b\n\n"
            + String(repeating: elsewhere, count: 25) + "--b--\n"
        try tree.write(MailTree.mbox([mail, Self.claim(7)]), to: "m.mbox")
        let lines = try await tree.run(MailTree.options()).lines
        #expect(lines.count { $0.hasSuffix("external-body") } == 10)
        #expect(lines.dropFirst(10).first == "m.mbox 0@0 more-problems")
        #expect(lines.last?.hasSuffix("7.pkpass malformed") == true)
        #expect(lines.count == 12)
    }

    @Test("so are containers that are nested too deeply")
    func nested() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        for number in 0..<20 { try tree.write("x", to: "\(number).pkpass") }
        try tree.shell(
            "for i in $(seq 0 19); do python3 -m zipfile -c $i.zip $i.pkpass; done; rm *.pkpass")
        try tree.shell("python3 -m zipfile -c outer.zip *.zip")
        let zip = try Data(contentsOf: tree.url.appendingPathComponent("outer.zip"))
        try tree.shell("rm *.zip")
        try tree.write(Self.message([("a.zip", zip)]), to: "m.eml")
        var options = try MailTree.options()
        options.containers.depth = 1
        let lines = try await tree.run(options).lines
        #expect(lines.count { $0.hasSuffix("limit-depth") } == 10)
        #expect(lines.last == "m.eml 0@0 more-problems")
    }

    @Test("a mail is limited in problems and fragments, and cannot hide the mail after it")
    func reports() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let elsewhere =
            "--b\nContent-Type: message/external-body; access-type=URL; URL=\"http://a/a.pkpass\""
            + "\n\nContent-Type: application/x\n\n"
        let flood =
            "Subject: flood\nContent-Type: multipart/mixed; boundary=b\n\n"
            + String(repeating: elsewhere, count: 60) + "--b--\n"
        func piece(_ id: String, _ number: Int, _ text: Substring) -> String {
            "Content-Type: message/partial; id=\"\(id)\"; number=\(number); total=2\n\n\(text)"
        }
        let whole = MailTree.message("pass", try MailTree.sample("trusted/generic-gym"))
        let middle = try #require(whole.dropFirst(2000).firstIndex(of: "\n"))
        let pieces = (0..<300).map { "--b\n\(piece("\($0)", 1, "x"))\n" }
        let hostile =
            "Content-Type: multipart/mixed; boundary=b\n\n\(pieces.joined())--b--\n"
        try tree.write(
            MailTree.mbox([
                flood, piece("honest", 1, whole[...middle]), hostile,
                piece("honest", 2, whole[whole.index(after: middle)...]), Self.claim(7),
            ]), to: "m.mbox")
        var options = try MailTree.options()
        (options.message.reports, options.message.listed) = (20, .max)
        let lines = try await tree.run(options).lines
        #expect(lines.count { $0.hasPrefix("m.mbox 0@") } == 21)
        #expect(lines.filter { $0.hasSuffix("limit-reports") }.count == 1)
        #expect(lines.filter { $0.hasSuffix("limit-pieces") }.count == 1)
        #expect(lines.filter { $0.hasSuffix("trusted") }.count == 1)
        #expect(lines.contains { $0.hasSuffix("7.pkpass malformed") })
    }

    @Test("a limit applies to a whole mail in an archive, in however many steps it is read")
    func pieces() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let filler = ("filler.txt", Data(repeating: 0x61, count: 600_000))
        let pass = ("t.pkpass", try MailTree.sample("trusted/generic-gym"))
        let mail = Self.message([pass, pass, filler, pass, filler, pass, filler, pass])
        try tree.write(mail, to: "1.eml")
        try tree.write(Self.message([pass]), to: "2.eml")
        try tree.shell("python3 -m zipfile -c m.zip 1.eml 2.eml; rm *.eml")
        var options = try MailTree.options()
        #expect(try await tree.run(options).lines.count == 6)
        (options.message.bytes, options.message.ratio) = (mail.utf8.count + 20_000, 0)
        let lines = try await tree.run(options).lines
        #expect(lines.filter { $0.contains("limit-work") }.count <= 1)
        #expect(lines.last?.hasPrefix("m.zip 0@0 !2.eml!1 ") == true)
        (options.message.bytes, options.message.seconds, options.message.secondsPerMiB) =
            (.max, 0, 1e-9)
        let late = try await tree.run(options, ["m.zip"]).lines
        #expect(late.count { $0.hasSuffix("limit-time") } == 1)
    }

    @Test("so is a large message that takes too long to parse")
    func parsing() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = MailTree.message("pass", try MailTree.sample("trusted/generic-gym"))
        let filler = String(repeating: "Nothing happens here.\n", count: 30_000)
        try tree.write(MailTree.mbox(["Subject: long\n\n\(filler)", pass]), to: "m.mbox")
        var options = try MailTree.options()
        // A limit below the time needed, which grows with the size read so far.
        (options.message.seconds, options.message.secondsPerMiB) = (0, 1e-9)
        let lines = try await tree.run(options).lines
        #expect(lines.first == "m.mbox 0@0 limit-time")
        #expect(lines.last?.hasSuffix("ticket.pkpass trusted") == true)
        #expect(lines.count == 2)
    }

    @Test("limits apply exactly, and grow with the message")
    func edges() {
        var limits = MessageLimits()
        (limits.bytes, limits.ratio, limits.messages) = (1000, 10, 3)
        (limits.seconds, limits.secondsPerMiB) = (2, 0.5)
        #expect(limits.mostSeconds(4 << 20) == 4)
        #expect(limits.mostBytes(100) == 1000)
        #expect(limits.mostBytes(101) == 1010)
        #expect(limits.mostBytes(.max) == .max)
        var budget = MessageBudget(limits)
        budget.takeWork(1000)
        #expect(budget.exceeded == nil)
        budget.takeWork(1)
        #expect(budget.exceeded?.code == "limit-work")
        // Reading more of the message does not change the result.
        budget.note(size: 10_000)
        #expect(budget.takeExceeded()?.code == "limit-work")
        #expect(budget.takeExceeded() == nil)
        var larger = MessageBudget(limits, size: 101)
        larger.takeWork(1010)
        #expect(larger.exceeded == nil)
        larger.takeWork(.max)
        #expect(larger.exceeded != nil)
        larger.takeMessages(2)
        #expect(larger.messagesLeft == 1)
        larger.takeMessages(2)
        #expect(larger.messagesLeft == 0)
    }
}
