import Foundation
import MailSource
import PassStore
import Testing

@testable import PassImport

@Suite("A message divided by lines that look like separators is read as one, in all ways")
struct DividedMessageTests {
    /// The first part of a message, up to a line of its text that looks like a separator.
    private static func beginning(_ subject: String, boundary: String) -> String {
        "Subject: \(subject)\nContent-Type: multipart/mixed; boundary=\(boundary)\n\n"
            + "--\(boundary)\nContent-Type: text/plain\n\nAna wrote:\n"
    }

    private static func part(_ boundary: String, _ name: String) throws -> String {
        "--\(boundary)\nContent-Type: application/octet-stream; name=\(name).pkpass\n"
            + "Content-Transfer-Encoding: base64\n\n"
            + MailTree.base64(try MailTree.sample("trusted/\(name)")) + "\n"
    }

    /// The messages of a mailbox as they are separated by its lines, with six passes.
    private static func messages() throws -> [String] {
        let gym = "generic-gym"
        let gate4 = "boarding-pass-air-gate-4"
        let gate7 = "boarding-pass-air-gate-7"
        let quoted = "Subject: quoted\n\nSee you there!\n-- \nAna\n"
        return [
            MailTree.message("first", try MailTree.sample("trusted/\(gate4)")),
            // Two messages without a multipart continue it.
            beginning("forwarded", boundary: "b1"), quoted,
            quoted + (try part("b1", gate7)) + "--b1--\n",
            quoted,
            // The end of a multipart within another one.
            beginning("nested", boundary: "b2") + "--b2\n" + beginning("inner", boundary: "b3"),
            quoted + (try part("b3", gate4)) + "--b3--\n" + (try part("b2", gym)) + "--b2--\n",
            MailTree.message("whole", try MailTree.sample("trusted/\(gate7)")),
            // A message that is cut off, and one that quotes its delimiter.
            beginning("cut", boundary: "b4"),
            "Subject: reply\nContent-Type: multipart/mixed; boundary=b5\n\n--b5\n\nYou sent:\n\n"
                + "--b4\nContent-Type: text/plain\n\ntext\n" + (try part("b5", gym)) + "--b5--\n",
            quoted,
        ]
    }

    /// The offset of each separator but the first.
    private static func separators(_ messages: [String]) -> [Int] {
        messages.indices.dropFirst().map { MailTree.mbox(Array(messages[..<$0])).utf8.count }
    }

    @Test("with the border of two workers at each separator")
    func borders() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let messages = try DividedMessageTests.messages()
        // A mailbox is divided only if it is larger than two ranges.
        let size = MailTree.mbox(messages).utf8.count
        let filler = "Subject: last\n\n" + String(repeating: "hello\n", count: size / 6 + 100)
        try tree.write(MailTree.mbox(messages + [filler]), to: "a.mbox")
        var options = try MailTree.options()
        let whole = try await tree.run(options)
        #expect(whole.outcomes == Array(repeating: "trusted", count: 6))
        for separator in DividedMessageTests.separators(messages) {
            for (jobs, border) in [(1, separator), (8, separator), (8, separator - 1)] {
                options.jobs = jobs
                options.rangeSize = border
                let result = try await tree.run(options)
                #expect(result.lines == whole.lines, "border at \(border)")
                #expect(result.summary == whole.summary, "border at \(border)")
            }
        }
        for held in [1, 1_000] {
            options.heldEvents = held
            options.rangeSize = 1 << 10
            let result = try await tree.run(options)
            #expect(result.lines == whole.lines)
            #expect(result.summary == whole.summary)
        }
    }

    @Test("if the mailbox ended at each separator when it was read before")
    func growth() async throws {
        let messages = try DividedMessageTests.messages()
        for count in 1..<messages.count {
            let rerun = try Rerun(["m"])
            defer { rerun.remove() }
            try rerun.tree.write(MailTree.mbox(Array(messages[..<count])), to: "m")
            _ = try await rerun.again()
            #expect(try await rerun.again().lines == [])
            try rerun.tree.write(MailTree.mbox(Array(messages[count...])), to: "rest")
            try rerun.tree.shell("cat rest >> m")
            let result = try await rerun.again()
            let whole = try await rerun.whole()
            #expect(try rerun.passes == whole.passes, "\(count) messages before")
            #expect(result.found == whole.result.found.suffix(result.found.count))
            #expect(try await rerun.again().lines == [])
        }
    }

    @Test("if a part of it must be read again")
    func unfinished() async throws {
        var inner = "Subject: x\n\nx\n"
        for _ in 0..<8 {
            inner =
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                + MailTree.base64(Data(inner.utf8)) + "\n"
        }
        let rerun = try Rerun(["m"])
        defer { rerun.remove() }
        let messages = [
            DividedMessageTests.beginning("forwarded", boundary: "b1"),
            "Subject: quoted\n\ntext\n--b1\n\(inner)--b1--\n",
        ]
        try rerun.tree.write(MailTree.mbox(messages), to: "m")
        let first = try await rerun.again()
        #expect(first.outcomes == ["limit-nesting"])
        #expect(try await rerun.again().lines == first.lines)
        #expect(try await rerun.again().lines == first.lines)
    }
}
