import Foundation
import Glibc
import MIME
import Testing

@testable import PassImport

@Suite("An attachment stored beside its message by Apple Mail is verified with the message, once")
struct AppleMailTests {
    private static let pass = "trusted/boarding-pass-air-gate-4"

    /// A message whose second part consists of the given text.
    private static func message(_ part: String) -> String {
        let message = """
            Subject: x
            Content-Type: multipart/mixed; boundary=b

            --b

            See the ticket.
            --b
            \(part)
            --b--

            """
        return "\(message.utf8.count)\n\(message)<?xml version=\"1.0\"?>\n<plist/>\n"
    }

    private static let typed = "Content-Type: application/vnd.apple.pkpass; name=a.pkpass\n"
    private static let stub = "\(typed)X-Apple-Content-Length: 9\n\n"

    /// Each row: the part, the files beside it, and the result.
    @Test(
        "a part and its file",
        arguments: [
            (stub, ["2/a.pkpass"], ["0 2 a.pkpass trusted"]),
            // The part gets the file that the header names; the other file is verified too.
            (
                stub, ["2/a.pkpass", "2/0.pkpass"],
                ["0 2 a.pkpass trusted", "0 2 0.pkpass trusted"]
            ),
            (stub, ["2/.hidden", "2/b"], ["0 2 a.pkpass trusted", "0 2 .hidden trusted"]),
            (stub, ["1/a.pkpass"], ["0 2 attachment-missing", "0 1 a.pkpass trusted"]),
            (stub, [], ["0 2 attachment-missing"]),
            // Without the field, an empty part is an empty file, unless a file for it is stored.
            ("\(typed)\n", ["2/a.pkpass"], ["0 2 a.pkpass trusted"]),
            ("\(typed)\n", [], ["0 2 a.pkpass malformed"]),
            // A body in the message is used instead of the file.
            (
                "\(typed)X-Apple-Content-Length: 9\n\nhello", ["2/a.pkpass"],
                ["0 2 a.pkpass malformed"]
            ),
            ("Content-Type: image/png\nX-Apple-Content-Length: 9\n\n", [], []),
            ("Content-Type: image/png\nX-Apple-Content-Length: 9\n\n", ["2/b"], ["0 2 b trusted"]),
            ("Content-Type: text/plain\n\n", ["2/b.pkpass"], ["0 2 b.pkpass trusted"]),
        ])
    func parts(part: String, files: [String], expected: [String]) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(AppleMailTests.message(part), to: "Messages/7.partial.emlx")
        let pass = try MailTree.sample(AppleMailTests.pass)
        for file in files { try tree.write(pass, to: "Attachments/7/\(file)") }
        for names in [[""], ["Messages"], ["Messages/7.partial.emlx"]] {
            let lines = try await tree.run(try MailTree.options(), names).lines
            let prefix = "Messages/7.partial.emlx 0@"
            #expect(
                lines
                    == expected.map { "\(prefix)\(AppleMailTests.offset(part)) \($0.dropFirst(2))" }
            )
        }
    }

    private static func offset(_ part: String) -> Int {
        message(part).utf8.prefix { $0 != 0x0A }.count + 1
    }

    @Test("a file that is not a pass, or is unreadable, is reported")
    func others() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(AppleMailTests.message(AppleMailTests.stub), to: "Messages/7.emlx")
        try tree.write("<html>", to: "Attachments/7/2/a.pkpass")
        try tree.write("<html>", to: "Attachments/7/3/notes.html")
        let html = try await tree.run(try MailTree.options()).outcomes
        #expect(html == ["malformed"])
        guard geteuid() != 0 else { return }
        let path = tree.url.path + "/Attachments/7/2/a.pkpass"
        #expect(unsafe chmod(path, 0) == 0)
        #expect(try await tree.run(try MailTree.options()).outcomes == ["unreadable"])
    }

    @Test("the files of an invalid message are verified too")
    func oddMessages() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample(AppleMailTests.pass)
        for (number, text) in ["", "hello\n", MailTree.mbox(["Subject: x\n\n"])].enumerated() {
            try tree.write(text, to: "Messages/\(number).emlx")
            try tree.write(pass, to: "Attachments/\(number)/1/a.pkpass")
        }
        let lines = try await tree.run(try MailTree.options()).lines
        // Text is read as a message without a header.
        let messages = ["0.emlx", "1.emlx 0@0", "2.emlx"]
        #expect(lines == messages.map { "Messages/\($0) 1 a.pkpass trusted" })
    }

    @Test("files above the limit of parts are reported")
    func limit() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(AppleMailTests.message(AppleMailTests.stub), to: "Messages/7.emlx")
        let pass = try MailTree.sample(AppleMailTests.pass)
        for part in 3..<9 { try tree.write(pass, to: "Attachments/7/\(part)/a.pkpass") }
        var options = try MailTree.options()
        options.mime.parts = 4
        let outcomes = try await tree.run(options).outcomes
        #expect(
            outcomes == ["attachment-missing"] + Array(repeating: "trusted", count: 4)
                + ["limit-parts"])
    }
}
