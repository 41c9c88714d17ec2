import Foundation
import PassContainers
import Testing

@testable import PassImport

@Suite("Packed mail gives the same result as unpacked mail")
struct PackedMailTests {
    private static let gate4 = "trusted/boarding-pass-air-gate-4"
    private static let gym = "trusted/generic-gym"

    @Test("a range with many results is delivered in steps, without loss or repetition")
    func fullPieces() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let messages = (0..<700).map {
            "Subject: \($0)\nContent-Type: text/plain; name=\($0).pkpass\n\nnone\n"
        }
        try tree.write(MailTree.mbox(messages), to: "a.mbox")
        try tree.write(MailTree.mbox(messages.reversed()), to: "b.mbox")
        var options = try MailTree.options()
        options.rangeSize = 10_000
        let whole = try await tree.run(options)
        #expect(whole.lines.count == 1400)
        #expect(whole.lines[699].hasPrefix("a.mbox 699@"))
        options.heldEvents = 7
        for jobs in [1, 3] {
            options.jobs = jobs
            let pieces = try await tree.run(options)
            #expect(pieces.lines == whole.lines)
            #expect(pieces.summary == whole.summary)
        }
    }

    @Test(
        "compressed mailboxes give the same result as uncompressed ones", arguments: ["gz", "xz"])
    func compressed(name: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let messages = (0..<40).map { "Subject: \($0)\nContent-Type: a/b; name=x.pkpass\n\n-\n" }
        let pass = MailTree.message("pass", try MailTree.sample(PackedMailTests.gate4))
        try tree.write(MailTree.mbox(messages + [pass]), to: "m")
        let plain = try await tree.run(try MailTree.options())
        let program = name == "gz" ? "gzip" : "xz"
        try tree.shell("\(program) -S .\(name) m")
        var options = try MailTree.options()
        options.heldEvents = 9
        let compressed = try await tree.run(options)
        #expect(plain.lines.last?.hasSuffix("trusted") == true)
        #expect(
            compressed.lines == plain.lines.map { $0.replacing("m ", with: "m.\(name) ") })
        #expect(compressed.summary.messages == 41)
    }

    @Test("in a damaged compressed file, the mail before the damage is read")
    func damaged() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = MailTree.message("pass", try MailTree.sample(PackedMailTests.gate4))
        let other = MailTree.message("other", try MailTree.sample(PackedMailTests.gym))
        try tree.write(MailTree.mbox([pass, other]), to: "m")
        try tree.shell("gzip m; truncate -s -900 m.gz")
        let lines = try await tree.run(try MailTree.options()).lines
        #expect(lines.first == "m.gz 0@0 2 ticket.pkpass trusted")
        #expect(lines.last == "m.gz damaged-compression")
    }

    @Test(
        "a decoder for a window of 256 MiB gets its memory, and larger ones are reported",
        arguments: [
            ("zstd --long=28", true), ("zstd --ultra --long=31", false),
            ("xz -T1 --lzma2=dict=256MiB,mf=hc3,mode=fast", true),
            ("xz -T1 --lzma2=dict=512MiB,mf=hc3,mode=fast", false),
        ])
    func largeWindow(command: String, isRead: Bool) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let message = MailTree.message("pass", try MailTree.sample(PackedMailTests.gate4))
        try tree.write(MailTree.mbox([message]), to: "m")
        // Through a pipe, so that the size of the file does not limit the window.
        try tree.shell("cat m | \(command) -c > file; cp file m; gzip -c file > file.gz")
        let lines = try await tree.run(try MailTree.options()).lines
        let sources = ["file", "file.gz", "m"]
        let inner = sources.map { "\($0) 0@0 2 ticket.pkpass trusted" }
        let refused = sources.map { "\($0) damaged-compression" }
        #expect(lines == (isRead ? inner : refused))
    }

    @Test("in mail, less memory is allowed, and a decoder that needs more is reported")
    func largeWindowInMail() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(try MailTree.sample(PackedMailTests.gate4), to: "pass")
        try tree.shell("cat pass | zstd --long=27 -c > packed")
        let packed = try Data(contentsOf: tree.url.appending(path: "packed"))
        try tree.shell("rm pass packed")
        try tree.write(MailTree.message("large", packed), to: "m.eml")
        let lines = try await tree.run(try MailTree.options()).lines
        #expect(lines.first == "m.eml 0@0 2 damaged-compression")
    }

    @Test(
        "messages of mailboxes in files are counted, those of mailboxes in messages are not",
        arguments: [
            ("mv box x", 3), ("gzip box", 3), ("python3 -m zipfile -c x.zip box; rm box", 3),
            ("tar -cf x.tar box; rm box", 3), ("tar -czf x.tgz box; rm box", 3),
            ("sed -i '1i Content-Type: application/mbox\\n' box; mv box m.eml", 1),
        ])
    func messageCount(command: String, count: Int) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = MailTree.message("pass", try MailTree.sample(PackedMailTests.gate4))
        try tree.write(MailTree.mbox([pass, "Subject: a\n\nb\n", pass]), to: "box")
        try tree.shell(command)
        let result = try await tree.run(try MailTree.options())
        #expect(result.lines.count == 2)
        #expect(result.summary.messages == count)
    }

    @Test("a mailbox in an archive is read in steps, in order")
    func mailboxInArchive() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let filler = String(repeating: "Nothing happens here.\n", count: 20_000)
        let pass = MailTree.message("pass", try MailTree.sample(PackedMailTests.gate4))
        let other = MailTree.message("other", try MailTree.sample(PackedMailTests.gym))
        let messages = (0..<8).flatMap { ["Subject: \($0)\n\n\(filler)", pass, other] }
        try tree.write(MailTree.mbox(messages), to: "All.mbox")
        let plain = try await tree.run(try MailTree.options()).lines
        try tree.shell("python3 -m zipfile -c mail.zip All.mbox; rm All.mbox")
        let packed = try await tree.run(try MailTree.options()).lines
        #expect(plain.count == 16)
        let expected = plain.map {
            $0.replacing("All.mbox", with: "mail.zip").replacing(" 2 ", with: " !All.mbox!2 ")
        }
        #expect(packed == expected)
    }

    @Test("a tar archive of a mail folder is read as a stream", arguments: ["", "z", "J"])
    func tar(compression: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample(PackedMailTests.gate4)
        let message = MailTree.message("pass", pass)
        try tree.write(message, to: "m/Maildir/cur/1.a:2,S")
        try tree.write(MailTree.mbox([message, message]), to: "m/box")
        try tree.write(pass, to: "m/t.pkpass")
        try tree.write("Nothing\n", to: "m/u.pkpass")
        try tree.write(message, to: "m/\(String(repeating: "long/", count: 40))x.eml")
        try tree.shell("tar -c\(compression)f m.tar --sort=name m; rm -r m")
        var options = try MailTree.options()
        let long = "m/\(String(repeating: "long/", count: 40))x.eml"
        let expected = [
            "m.tar 0@0 !m/Maildir/cur/1.a:2,S!2 ticket.pkpass trusted",
            "m.tar 0@0 !m/box!2 ticket.pkpass trusted",
            "m.tar 1@\(MailTree.mbox([message]).utf8.count) !m/box!2 ticket.pkpass trusted",
            "m.tar 0@0 !\(long)!2 ticket.pkpass trusted",
            "m.tar !m/t.pkpass t.pkpass trusted", "m.tar !m/u.pkpass u.pkpass malformed",
        ]
        for held in [1000, 1] {
            options.heldEvents = held
            #expect(try await tree.run(options).lines == expected)
        }
    }

    @Test("everything unpacked from one message counts towards one limit")
    func budget() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample(PackedMailTests.gate4)
        let inner = MailTree.base64(Data(MailTree.message("inner", pass).utf8))
        let part =
            "--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n\(inner)\n"
        let message =
            "Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n"
            + String(repeating: part, count: 9) + "--b--\n"
        try tree.write(MailTree.mbox([message, message]), to: "m")
        var options = try MailTree.options()
        #expect(try await tree.run(options).lines.count == 18)
        options.containers.total = pass.count * 3
        let lines = try await tree.run(options).lines
        #expect(lines.count { $0.hasPrefix("m 0@") && $0.hasSuffix("trusted") } == 2)
        #expect(lines.count { $0.hasPrefix("m 1@") && $0.hasSuffix("trusted") } == 2)
        #expect(lines.contains { $0.hasPrefix("m 0@0 ") && $0.hasSuffix("limit-inflated") })
    }

    @Test("a container above its limit does not affect the parts beside it")
    func budgetOfOthers() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample(PackedMailTests.gate4)
        let inner = MailTree.base64(Data(MailTree.message("inner", pass).utf8))
        let part = MailTree.base64(pass)
        try tree.write(
            "Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n"
                + "--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n\(inner)\n"
                + "--b\nContent-Transfer-Encoding: base64\n\n\(part)\n--b--\n", to: "m")
        var options = try MailTree.options()
        options.containers.total = 1000
        #expect(
            try await tree.run(options).lines == ["m 0@0 1.2 limit-inflated", "m 0@0 2  trusted"])
    }

    @Test("mail with the line ends of old Macs is recognised everywhere", arguments: ["gz", "zip"])
    func repaired(packing: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample(PackedMailTests.gate4)
        let message = MailTree.message("old", pass).replacing("\n", with: "\r")
        try tree.write(message, to: "m.eml")
        try tree.shell(
            packing == "gz" ? "gzip m.eml" : "python3 -m zipfile -c m.zip m.eml; rm m.eml")
        let part = packing == "gz" ? "2" : "!m.eml!2"
        let name = packing == "gz" ? "m.eml.gz" : "m.zip"
        #expect(
            try await tree.run(try MailTree.options()).lines == [
                "\(name) 0@0 \(part) ticket.pkpass trusted"
            ])
    }

    @Test("a file declared as a pass that contains none is malformed, however it is packed")
    func claims() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample(PackedMailTests.gate4)
        let none = "Subject: none\n\nNothing.\n"
        try tree.write(none, to: "a.pkpass")
        try tree.write(MailTree.message("pass", pass), to: "b.pkpass")
        try tree.write(none, to: "c")
        try tree.shell("gzip c; mv c.gz c.pkpass")
        #expect(
            try await tree.run(try MailTree.options()).lines == [
                "a.pkpass  a.pkpass malformed", "b.pkpass 0@0 2 ticket.pkpass trusted",
                "c.pkpass  c.pkpass malformed",
            ])
    }
}

@Suite("A message sent in fragments is reassembled")
struct PartialMessageAssemblerTests {
    private func piece(_ number: Int, of total: Int?, _ id: String, _ body: String) -> String {
        let more = total.map { "; total=\($0)" } ?? ""
        return "Subject: \(id) \(number)\n"
            + "Content-Type: message/partial; id=\"\(id)\"; number=\(number)\(more)\n\n\(body)"
    }

    /// The fragments of a message, cut at line ends.
    private func pieces(_ count: Int, _ id: String) throws -> [String] {
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        let lines = MailTree.message("whole", pass).split(
            separator: "\n", omittingEmptySubsequences: false)
        let size = lines.count / count + 1
        return (0..<count).map { index in
            let some = lines[(index * size)..<min(lines.count, index * size + size)]
            let total = index == count - 1 ? count : nil
            return piece(
                index + 1, of: total, id, some.joined(separator: "\n") + "\n")
        }
    }

    @Test("in any order, in several files, and with repeated fragments", arguments: [1, 2, 3, 9])
    func whole(count: Int) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let all = try pieces(count, "a")
        for (index, piece) in all.enumerated() { try tree.write(piece, to: "f/\(index).eml") }
        try tree.write(MailTree.mbox(all.reversed() + all), to: "m.mbox")
        for jobs in [1, 4] {
            var options = try MailTree.options()
            options.jobs = jobs
            let apart = try await tree.run(options, ["f"]).lines
            #expect(apart == ["f/0.eml 0@0 1.2 ticket.pkpass trusted"])
            let mbox = try await tree.run(options, ["m.mbox"]).lines
            #expect(mbox.first?.hasSuffix("1.2 ticket.pkpass trusted") == true)
        }
    }

    @Test("repeated fragments, and one with an invalid number, change nothing")
    func strayPieces() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let all = try pieces(2, "a")
        let stray = piece(7, of: 2, "a", "stray\n")
        try tree.write(MailTree.mbox([all[0], all[0], stray, all[1], all[1], all[0]]), to: "m")
        #expect(
            try await tree.run(try MailTree.options()).lines == [
                "m 0@0 1.2 ticket.pkpass trusted"
            ])
    }

    @Test("the first ten incomplete messages of a mailbox are reported, and the others counted")
    func manyIncomplete() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        for (name, count) in [("a", 13), ("b", 10)] {
            let some = (0..<count).map { piece(1, of: 2, "\(name)\($0)", "x\n") }
            try tree.write(MailTree.mbox(some), to: name)
        }
        let result = try await tree.run(try MailTree.options())
        #expect(result.lines.count { $0.hasSuffix("1 partial-incomplete") } == 20)
        #expect(result.lines.last == "a more-problems", "\(result.lines)")
        #expect(result.lines.count == 21 && result.summary.problems == 21)
    }

    @Test("an incomplete message is reported, and the number of waiting fragments is limited")
    func incomplete() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let some = try (0..<5).flatMap { try pieces(3, "\($0)").prefix(2) }
        try tree.write(MailTree.mbox(some + [some[9]]), to: "m")
        var options = try MailTree.options()
        let waited = try await tree.run(options)
        #expect(waited.lines.count == 5 && waited.summary.problems == 5)
        #expect(waited.lines.allSatisfy { $0.hasSuffix("1 partial-incomplete") })
        options.fragments = 3
        #expect(try await tree.run(options).lines.count == 5)
    }

    @Test("a fragmented message within another one is reported and not reassembled")
    func nested() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let inner = try pieces(1, "inner")[0]
        try tree.write(piece(1, of: 1, "outer", inner), to: "m")
        #expect(try await tree.run(try MailTree.options()).lines == ["m 0@0 1.1 limit-nesting"])
    }
}
