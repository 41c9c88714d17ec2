import Foundation
import MailSource
import PassStore
import Testing

@testable import PassImport

@Suite("Only appended messages of an mbox are read again, but everything after any other change")
struct MailboxCacheTests {
    private static let separator = "From a@example.com Tue May  7 10:00:00 2024\n"

    /// An mbox of twelve messages, of which the first and the last contain passes.
    private func rerun(_ tail: String = "") throws -> Rerun {
        let rerun = try Rerun(["m"])
        let (four, seven) = try MailboxCacheTests.messages()
        let plain = (0..<10).map { "Subject: \($0)\nStatus: \n\nhello\n" }
        try rerun.tree.write(MailTree.mbox([four] + plain + [seven]) + tail, to: "m")
        return rerun
    }

    /// The first and the last message. The second pass is a newer version of the first.
    private static func messages() throws -> (String, String) {
        (
            MailTree.message("four", try MailTree.sample("trusted/boarding-pass-air-gate-4")),
            MailTree.message("seven", try MailTree.sample("trusted/boarding-pass-air-gate-7"))
        )
    }

    private func append(_ text: String, to rerun: Rerun) throws {
        let file = try FileHandle(forWritingTo: rerun.tree.url.appendingPathComponent("m"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// Runs again, and compares the result with that of reading everything: the last lines must be
    /// equal, and as many as expected.
    private func expectLast(
        _ count: Int, _ rerun: Rerun, messages: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await rerun.again()
        let whole = try await rerun.whole()
        #expect(result.found == whole.result.found.suffix(count), sourceLocation: sourceLocation)
        #expect(try rerun.passes == whole.passes, sourceLocation: sourceLocation)
        if let messages {
            #expect(result.summary.messages == messages, sourceLocation: sourceLocation)
        }
    }

    @Test("everything is read if a run was interrupted", arguments: [1, 70, 120])
    func endedEarly(limit: Int) async throws {
        struct Ended: Error {}
        var rerun = try Rerun(["m"])
        defer { rerun.remove() }
        rerun.options.notingPause = .zero
        rerun.options.heldEvents = 50
        let (four, seven) = try MailboxCacheTests.messages()
        try rerun.tree.write(
            MailTree.mbox(Array(repeating: four, count: 149) + [seven]), to: "m")
        try await Task.sleep(for: .milliseconds(20))
        var told = 0
        _ = try? await run([.path(Path("\(rerun.tree.url.path)/m"))], rerun.options) { _ in
            told += 1
            if told == limit { throw Ended() }
        }
        try await expectLast(150, rerun, messages: 150)
        try await expectLast(0, rerun, messages: 0)
    }

    @Test("everything is read if the mailbox is given twice") func namedTwice() async throws {
        var rerun = try rerun()
        defer { rerun.remove() }
        rerun.options.rangeSize = 4 << 10
        // All ranges are planned before the first is read.
        rerun.options.jobs = 16
        let path = Input.path(Path("\(rerun.tree.url.path)/m"))
        try await Task.sleep(for: .milliseconds(20))
        _ = try await run([path, path], rerun.options) { _ in }
        try await expectLast(2, rerun, messages: 12)
        try await expectLast(0, rerun, messages: 0)
    }

    @Test("nothing is read, and then appended messages, repeatedly", arguments: [4 << 10, 8 << 20])
    func appended(rangeSize: Int) async throws {
        var rerun = try rerun()
        defer { rerun.remove() }
        rerun.options.rangeSize = rangeSize
        rerun.options.jobs = 3
        try await expectLast(2, rerun, messages: 12)
        try await expectLast(0, rerun, messages: 0)
        let (four, seven) = try MailboxCacheTests.messages()
        for round in 1...3 {
            try append(MailTree.mbox([seven, four, "Subject: x\n\n"]), to: rerun)
            try await expectLast(2, rerun, messages: 3)
            if round == 2 { try await expectLast(0, rerun, messages: 0) }
        }
    }

    @Test("an incomplete message is read when it is complete")
    func half() async throws {
        let (four, seven) = try MailboxCacheTests.messages()
        let message = Array(MailTree.mbox([four]).utf8)
        for place in [3, 10, 43, 44, 45, 300, message.count / 2, message.count - 2] {
            let rerun = try rerun()
            defer { rerun.remove() }
            let (first, rest) = (message[..<place], message[place...])
            try append(String(decoding: first, as: UTF8.self), to: rerun)
            _ = try await rerun.again()
            let appended = String(decoding: rest, as: UTF8.self) + MailTree.mbox([seven])
            try append(appended, to: rerun)
            // An incomplete separator is still part of the message before it, and so is one
            // followed by an incomplete name of a field.
            let separator = MailboxCacheTests.separator.utf8.count
            let isPartOfLast = place < separator - 1 || place == separator + 1
            try await expectLast(isPartOfLast ? 3 : 2, rerun, messages: isPartOfLast ? 3 : 2)
        }
    }

    @Test(
        "everything is read after any other change",
        arguments: [
            // A mail program marks a mail as read.
            "sed -i.old 's/^Status: $/Status:R/' m; cat m > n; cat n > m.old; mv m.old m",
            "sed 's/^Status: $/Status:R/' m > n; cat n > m",
            "touch m", "cp m n; mv n m", "head -c 9000 m > n; cat n > m",
            // A mail is removed, without and with others after it.
            "sed '/^Subject: 3/,/^hello/d' m > n; cat n > m",
            "sed '/^Subject: 3/,/^hello/d' m > n; cat m >> n; cat n > m",
            // A mail is changed far from the end, and another one is appended.
            "(sed 's/^Subject: 5/Subject: Z/' m; printf 'From a Tue May  7 10:00:00 2024\\n\\nx\\n\\n') > n; cat n > m",
            // Something else is inserted, and the file is longer.
            "(printf 'From a Tue May  7 10:00:00 2024\\nSubject: y\\n\\ny\\n\\n'; cat m) > n; cat n > m",
            ": > m", "chmod 600 m",
        ])
    func changed(edit: String) async throws {
        let rerun = try rerun()
        defer { rerun.remove() }
        _ = try await rerun.again()
        try rerun.tree.shell(edit)
        let whole = try await rerun.whole()
        let result = try await rerun.again()
        #expect(result.found == whole.result.found)
        #expect(result.summary.messages == whole.result.summary.messages)
        #expect(try await rerun.again().lines == [])
    }

    @Test("only a message that could not be read completely is read again")
    func unfinished() async throws {
        var inner = "Subject: x\n\nx\n"
        for _ in 0..<8 {
            inner =
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                + MailTree.base64(Data(inner.utf8)) + "\n"
        }
        let (four, seven) = try MailboxCacheTests.messages()
        let rerun = try rerun(MailTree.mbox([inner, "Subject: x\n\n", inner, four]))
        defer { rerun.remove() }
        let first = try await rerun.again()
        let problems = first.lines.filter { $0.hasSuffix("limit-nesting") }
        #expect(first.lines.count == 5 && problems.count == 2)
        let second = try await rerun.again()
        #expect(second.lines == problems)
        #expect(second.summary.messages == 2 && second.summary.sources == 1)
        try append(MailTree.mbox([seven, inner]), to: rerun)
        let third = try await rerun.again()
        let whole = try await rerun.whole()
        #expect(third.found == problems + whole.result.found.suffix(2))
        #expect(third.summary.messages == 4)
        #expect(try await rerun.again().lines.count == 3)
    }

    @Test("fragments of a message are joined, whenever they arrive")
    func pieces() async throws {
        let (four, _) = try MailboxCacheTests.messages()
        let half = four.utf8.count / 2
        let end = four.utf8.index(four.utf8.startIndex, offsetBy: half)
        let cut = four[..<end].lastIndex(of: "\n").map { four.index(after: $0) } ?? end
        func piece(_ number: Int, _ text: Substring) -> String {
            "Content-Type: message/partial; id=x; number=\(number); total=2\n\n\(text)"
        }
        let rerun = try rerun(MailTree.mbox([piece(2, four[cut...])]))
        defer { rerun.remove() }
        #expect(try await rerun.again().outcomes == ["added", "updated", "partial-incomplete"])
        #expect(try await rerun.again().outcomes == ["partial-incomplete"])
        try append(MailTree.mbox([piece(1, four[..<cut])]), to: rerun)
        let third = try await rerun.again()
        #expect(third.outcomes == ["unchanged"])
        #expect(third.found == (try await rerun.whole().result.found.suffix(1)))
    }

    @Test("a length beyond the end is used once the mailbox has grown that far")
    func claims() async throws {
        let (four, seven) = try MailboxCacheTests.messages()
        let inner = MailTree.mbox([four, seven])
        let long = "Subject: l\nContent-Length: \(inner.utf8.count)\n\n"
        let start = MailboxCacheTests.separator + long + inner.prefix(inner.utf8.count - 100)
        let rerun = try rerun(start)
        defer { rerun.remove() }
        _ = try await rerun.again()
        try append(inner.suffix(100) + MailTree.mbox([seven]), to: rerun)
        let result = try await rerun.again()
        let whole = try await rerun.whole().result
        #expect(result.found == whole.found)
        #expect(result.summary.messages == whole.summary.messages)
    }

    @Test(
        "changes made during the reading are detected",
        arguments: [
            (true, "printf 'From a Tue May  7 10:00:00 2024\\n' >> m; cat y >> m"),
            (true, "cat y >> m"),
            (false, "sed '/^Subject: 3/,/^hello/d' m > n; cat n > m"),
            (false, "sed 's/hello/olleh/' m > n; cat n > m"),
            (false, "cp m n; mv n m"),
        ])
    func meanwhile(isAppended: Bool, edit: String) async throws {
        var rerun = try rerun()
        defer { rerun.remove() }
        let (four, _) = try MailboxCacheTests.messages()
        try rerun.tree.write(four, to: "y")
        rerun.options.rangeSize = 1 << 10
        try await Task.sleep(for: .milliseconds(20))
        let tree = rerun.tree
        var isDone = false
        _ = try await run([.path(Path(tree.url.path + "/m"))], rerun.options) { _ in
            if !isDone { try tree.shell(edit) }
            isDone = true
        }
        let result = try await rerun.again()
        let whole = try await rerun.whole()
        if isAppended {
            #expect(result.found.last == whole.result.found.last)
        } else {
            #expect(result.found == whole.result.found)
        }
        #expect(try rerun.passes.isSuperset(of: whole.passes))
    }

    @Test("a large mailbox in a folder is cached separately")
    func inFolder() async throws {
        let rerun = try Rerun()
        defer { rerun.remove() }
        let (four, seven) = try MailboxCacheTests.messages()
        let plain = "Subject: x\n\n" + String(repeating: "hello\n", count: 50_000)
        try rerun.tree.write(MailTree.mbox([four, plain]), to: "mail/large")
        try rerun.tree.write(MailTree.mbox([four]), to: "mail/small")
        #expect(try await rerun.again().summary.messages == 3)
        #expect(try await rerun.again().summary.unchanged == 2)
        try rerun.tree.write(MailTree.mbox([seven]), to: "more")
        try rerun.tree.shell("cat more >> mail/large; cat more >> mail/small")
        let result = try await rerun.again()
        #expect(result.summary.messages == 3)
        #expect(result.found == (try await rerun.whole().result.found.suffix(3)))
    }
}
