import Foundation
import PassLinks
import Testing

@testable import PassImport

@Suite("Links to passes are listed on request, in the order of the mail")
struct LinkSearchTests {
    private static func message(_ subject: String, _ text: String, _ fields: String = "") -> String
    {
        "Subject: \(subject)\n\(fields)\n\(text)\n"
    }

    private static func link(_ name: String) -> String { "https://x.example/\(name).pkpass" }

    @Test("from each message of a mailbox, with any number of workers")
    func mailbox() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        let messages = (0..<100).map { index in
            index % 10 == 3
                ? MailTree.message("\(index)", pass)
                    .replacing("See the ticket.", with: "See \(LinkSearchTests.link("\(index)")).")
                : LinkSearchTests.message("\(index)", LinkSearchTests.link("\(index)"))
        }
        try tree.write(MailTree.mbox(messages), to: "a.mbox")
        var options = try MailTree.options()
        #expect(try await tree.run(options).lines.count == 10)
        #expect(try await tree.run(options).summary.links == nil)
        options.links = LinkLimits()
        let whole = try await tree.run(options)
        #expect(whole.lines.count == 110)
        #expect(whole.summary.links == 100)
        #expect(whole.summary.candidates == 10)
        for (index, line) in whole.lines.filter({ $0.contains("https") }).enumerated() {
            #expect(line.hasPrefix("a.mbox \(index)@"))
            #expect(line.hasSuffix(" 1 \(LinkSearchTests.link("\(index)"))"))
        }
        options.jobs = 3
        options.rangeSize = 4 << 10
        #expect(try await tree.run(options).lines == whole.lines)
    }

    @Test("up to the limit for a message; exceeding it is reported once")
    func limit() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        func text(_ start: Int, _ count: Int) -> String {
            (start..<start + count).map { LinkSearchTests.link("\($0)") }.joined(separator: "\n")
        }
        let parts = "Content-Type: multipart/mixed; boundary=b\n"
        let inner = LinkSearchTests.message("inner", text(100, 2))
        for (index, count) in [3, 4].enumerated() {
            try tree.write(
                LinkSearchTests.message(
                    "x",
                    "--b\n\n\(text(0, count))\n--b\nContent-Type: message/rfc822\n"
                        + "Content-Transfer-Encoding: base64\n\n"
                        + MailTree.base64(Data(inner.utf8)) + "\n--b\n\n\(text(200, 5))\n--b--",
                    parts), to: "\(index).eml")
        }
        var options = try MailTree.options()
        options.links = LinkLimits()
        options.links?.links = 10
        let lines = try await tree.run(options).lines
        #expect(lines.count == 10 + 11)
        #expect(lines[3].hasPrefix("0.eml 0@0 2.1 https"))
        #expect(!lines.prefix(10).contains { $0.hasSuffix("limit-links") })
        #expect(lines.last == "1.eml 0@0 3 limit-links")
        options.links?.url = 20
        let short = try await tree.run(options, ["0.eml"]).lines
        #expect(short == ["0.eml 0@0 1 limit-link-size"])
    }

    @Test("from text files given by name, and no others")
    func files() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let page = "<!DOCTYPE html>\n<a href='//x.example/a.pkpass?a&amp;b'>x</a>"
        for name in ["a.html", "b.HTM", "c.txt", "d.css", "e"] { try tree.write(page, to: name) }
        let wide = "See \(LinkSearchTests.link("w"))".data(using: .utf16) ?? Data()
        try tree.write(wide, to: "w.txt")
        var options = try MailTree.options()
        options.links = LinkLimits()
        #expect(try await tree.run(options).lines.isEmpty)
        let named = try await tree.run(
            options, ["a.html", "b.HTM", "c.txt", "d.css", "e", "w.txt"])
        #expect(
            named.lines == [
                "a.html  //x.example/a.pkpass?a&b", "b.HTM  //x.example/a.pkpass?a&b",
                "w.txt  \(LinkSearchTests.link("w"))",
            ])
        options.links = nil
        #expect(try await tree.run(options, ["a.html"]).lines.isEmpty)
    }

    @Test("the URL of a shortcut that is named like a pass, whatever it is")
    func shortcuts() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let url = "https://x.example/w/8f3a"
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>URL</key><string>\(url)</string></dict></plist>

            """
        let shortcut = "[InternetShortcut]\r\nURL=\(url)\r\nIconFile=https://x.example/i.ico\r\n"
        try tree.write(shortcut, to: "t.pkpass.url")
        try tree.write(shortcut, to: "t.url")
        try tree.write(list, to: "t.pkpass.webloc")
        try tree.write(
            "Subject: x\nContent-Type: application/octet-stream; name=\"t.pkpass.url\"\n"
                + "Content-Transfer-Encoding: base64\n\n"
                + MailTree.base64(Data(shortcut.utf8)) + "\n",
            to: "a.eml")
        var options = try MailTree.options()
        options.links = LinkLimits()
        let names = ["t.pkpass.url", "t.url", "t.pkpass.webloc", "a.eml"]
        let lines = try await tree.run(options, names).lines
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix(" \(url)") }, "\(lines)")
    }

    @Test("passes in a mail are found as without --links")
    func passes() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = MailTree.base64(try MailTree.sample("trusted/boarding-pass-air-gate-4"))
        // A pass in a part declared as text, and in a part declared as a message, which it is not.
        for (index, type) in ["text/plain", "message/rfc822", "text/html"].enumerated() {
            try tree.write(
                "Content-Type: \(type)\nContent-Transfer-Encoding: base64\n\n\(pass)\n",
                to: "\(index).eml")
        }
        var options = try MailTree.options()
        let without = try await tree.run(options).lines
        #expect(without.count == 3)
        options.links = LinkLimits()
        #expect(try await tree.run(options).lines == without)
    }

    @Test("what is found in each sample mail does not depend on --links")
    func samples() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let folder = MailTree.package.appendingPathComponent("Samples/mail").path
        try tree.shell("cp '\(folder)'/*.eml .")
        var options = try MailTree.options()
        func found() async throws -> [String] {
            try await tree.run(options).lines.filter {
                // Bodies that cannot be read are reported if links are searched.
                !$0.contains("//") && !$0.contains("data:")
                    && !$0.contains("unknown-code-page")
            }
        }
        let without = try await found()
        #expect(without.count > 400)
        options.links = LinkLimits()
        #expect(try await found() == without)
    }
}
