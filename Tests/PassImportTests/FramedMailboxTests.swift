import Foundation
import Testing

@testable import PassImport

@Suite("Mailboxes of every form are read in steps, even inside mail and archives")
struct FramedMailboxTests {
    @Test("steps of any size give the same result")
    func steps() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        let line = "\u{1}\u{1}\u{1}\u{1}\n"
        let messages = (0..<120).map { "\(line)\(MailTree.message("m\($0)", pass))\(line)" }
        try tree.write(messages.joined(), to: "mmdf")
        var options = try MailTree.options()
        let whole = try await tree.run(options)
        #expect(whole.lines.count == 120 && whole.summary.messages == 120)
        options.heldInMemory = 0
        options.jobs = 4
        #expect(try await tree.run(options).lines == whole.lines)
    }

    @Test("an attached mailbox or Apple Mail message is opened")
    func attached() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        let message = MailTree.message("inner", pass)
        let line = "\u{1}\u{1}\u{1}\u{1}\n"
        for (name, file) in [
            ("mmdf", "\(line)\(message)\(line)"),
            ("1.emlx", "\(message.utf8.count)      \n\(message)<?xml?>\n<plist>\n</plist>\n"),
            ("babyl", "BABYL OPTIONS:\n\u{1F}\u{C}\n0,,\n*** EOOH ***\n\(message)\u{1F}"),
            ("batch", "HELO a\nMAIL FROM:<a>\nRCPT TO:<b>\nDATA\n\(message).\nQUIT\n"),
        ] {
            let outer = """
                Subject: \(name)
                Content-Type: application/octet-stream; name=\(name)
                Content-Transfer-Encoding: base64

                \(MailTree.base64(Data(file.utf8)))
                """
            try tree.write(outer, to: "\(name).eml")
        }
        let lines = try await tree.run(try MailTree.options()).lines
        #expect(
            lines == [
                "1.emlx.eml 0@0 1.2 ticket.pkpass trusted",
                "babyl.eml 0@0 1!0!2 ticket.pkpass trusted",
                "batch.eml 0@0 1!0!2 ticket.pkpass trusted",
                "mmdf.eml 0@0 1!0!2 ticket.pkpass trusted",
            ])
    }
}
