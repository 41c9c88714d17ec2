import Foundation
import PassLinks
import Testing

@testable import PassImport

@Suite("Passes in data: URLs in mail are verified")
struct DataLinksTests {
    private let tree: MailTree
    private let url: String

    init() throws {
        tree = try MailTree()
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        url = "data:application/vnd.apple.pkpass;base64,\(pass.base64EncodedString())"
    }

    private func options(links: Bool = true) throws -> ImportOptions {
        var options = try MailTree.options()
        options.links = links ? LinkLimits() : nil
        return options
    }

    /// The lines of passes and problems.
    private func found(
        _ options: ImportOptions, _ names: [String] = [""]
    ) async throws -> [String] {
        try await tree.run(options, names).lines.filter { !$0.contains("data:") }
    }

    @Test("in text and HTML, in nested mail and archives, and in files given by name")
    func places() async throws {
        defer { tree.remove() }
        let text = "Subject: x\n\nSee \(url) there\n"
        let folded = "<a href='" + url.replacing(";base64", with: ";\n base64") + "'>x</a>"
        let html = "Subject: x\nContent-Type: text/html\n\n\(folded)\n"
        let outer =
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n"
        try tree.write(text, to: "a.eml")
        try tree.write(html, to: "b.eml")
        try tree.write("\(outer)\n\(html)\n--b--\n", to: "c.eml")
        try tree.write(folded, to: "d.html")
        try tree.shell("zip -q e.zip a.eml b.eml || python3 -m zipfile -c e.zip a.eml b.eml")
        let names = ["a.eml", "b.eml", "c.eml", "d.html", "e.zip"]
        let lines = try await found(try options(), names)
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("trusted") }, "\(lines)")
        #expect(try await found(try options(links: false), names) == lines)
        #expect(try await tree.run(try options(links: false), names).summary.links == nil)
        #expect(try await tree.run(try options(), names).summary.links == 6)
    }

    @Test("in pages in folders, archives, compressed files and web archives")
    func packedPages() async throws {
        defer { tree.remove() }
        let page = "<a href=\"\(url)\">Ticket</a>\n"
        try tree.write(page, to: "folder/a.html")
        try tree.shell("python3 -m zipfile -c b.zip folder/a.html; tar cf c.tar folder/a.html")
        try tree.shell("gzip -c folder/a.html > a.html.gz")
        let web = """
            import plistlib, sys
            page = open("folder/a.html", "rb").read()
            plistlib.dump({"WebMainResource": {
                "WebResourceData": page, "WebResourceMIMEType": "text/html",
                "WebResourceURL": "https://x.example/"}},
                open("d.webarchive", "wb"), fmt=plistlib.FMT_BINARY)

            """
        try tree.write(web, to: "web.py")
        try tree.shell("python3 web.py")
        let packed = MailTree.base64(
            try Data(contentsOf: tree.url.appendingPathComponent("a.html.gz")))
        try tree.write(
            "Subject: x\nContent-Type: application/octet-stream; name=\"a.html.gz\"\n"
                + "Content-Transfer-Encoding: base64\n\n\(packed)\n",
            to: "e.eml")
        for name in ["folder", "b.zip", "c.tar", "d.webarchive", "e.eml"] {
            let lines = try await found(try options(links: false), [name])
            #expect(lines.count == 1 && lines[0].contains("trusted"), "\(name): \(lines)")
        }
    }

    @Test("before lines that look like a part, and in a page that is one line of base64")
    func oddParts() async throws {
        defer { tree.remove() }
        let lines = stride(from: 0, to: url.utf8.count, by: 70).map { url.dropFirst($0).prefix(70) }
        let quoted = lines.joined(separator: "=\n").replacing("base64,", with: "base64,=\n")
        try tree.write(
            "Subject: x\nContent-Transfer-Encoding: quoted-printable\n\nSee \(quoted)\n\n"
                + "--abc\nContent-Type: text/plain\n\nquoted text\n",
            to: "a.eml")
        let page = Data("<html xmlns='http://www.w3.org/1999/xhtml'>\n<a href='\(url)'/>".utf8)
        try tree.write(
            "Subject: x\nContent-Type: application/xhtml+xml\nContent-Transfer-Encoding: base64\n\n"
                + page.base64EncodedString() + "\n",
            to: "b.eml")
        #expect(try await tree.run(try options(links: false)).outcomes == ["trusted", "trusted"])
    }

    @Test("in each encoding of a page, behind other text and pictures")
    func encodings() async throws {
        defer { tree.remove() }
        let filling = String(repeating: "<p>Dear passenger, thank you for it.</p>\n", count: 3000)
        let picture =
            "<img src=\"data:image/png;base64,"
            + Data(repeating: 0x5A, count: 20_000).base64EncodedString() + "\">"
        let page = "\(filling)\(picture)<a href=\"\(url)\">Ticket</a>\(filling)"
        let references = page.replacing("+", with: "&#43;").replacing("/", with: "&#x2F;")
        let escaped = page.replacing("+", with: "%2B").replacing("e.pkpass", with: "e%2Epkpass")
        let zip = page.replacing("application/vnd.apple.pkpass", with: "application/octet-stream")
        func base64(_ page: String, _ charset: String.Encoding = .utf8) throws -> String {
            try MailTree.base64(#require(page.data(using: charset)))
        }
        let quoted = page.replacing("=", with: "=3D").split(separator: "\n").map { line in
            stride(from: 0, to: line.utf8.count, by: 75).map {
                line.dropFirst($0).prefix(75)
            }.joined(separator: "=\n")
        }.joined(separator: "\n")
        let mails = [
            ("utf-8", "8bit", page), ("utf-8", "8bit", references), ("utf-8", "8bit", escaped),
            ("utf-8", "8bit", zip), ("utf-8", "quoted-printable", quoted),
            ("utf-8", "base64", try base64(page)),
            ("utf-16", "base64", try base64(page, .utf16)),
            ("utf-7", "7bit", page.replacing("+", with: "+-")),
        ]
        for (index, (charset, encoding, text)) in mails.enumerated() {
            let header = "Subject: x\nContent-Type: text/html; charset=\(charset)\n"
            try tree.write(
                header + "Content-Transfer-Encoding: \(encoding)\n\n\(text)\n",
                to: "\(index).eml")
        }
        let lines = try await found(try options(links: false))
        #expect(lines.count == mails.count, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("trusted") }, "\(lines)")
    }

    /// Attached pages in UTF-32 that have a name are not searched.
    @Test("in attached pages in UTF-16 and UTF-32, whatever their header says of the charset")
    func attachedPages() async throws {
        defer { tree.remove() }
        let page = "<html><body><a href=\"\(url)\">Ticket</a></body></html>\n"
        let headers = [
            "text/html; name=ticket.html", "application/octet-stream; name=ticket.html",
            "text/html; charset=utf-8",
        ]
        let charsets: [String.Encoding] = [
            .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian,
            .utf32BigEndian,
        ]
        var count = 0
        for (index, header) in headers.enumerated() {
            for charset in header.contains("name") ? charsets.prefix(3) : charsets[...] {
                count += 2
                let data = try #require(page.data(using: charset))
                let name = "\(index)-\(charset.rawValue)"
                let start = Data("Subject: x\nContent-Type: \(header)\n".utf8)
                try tree.write(
                    start + Data("Content-Transfer-Encoding: binary\n\n".utf8) + data,
                    to: "\(name)-binary.eml")
                try tree.write(
                    start
                        + Data(
                            "Content-Transfer-Encoding: base64\n\n\(MailTree.base64(data))".utf8),
                    to: "\(name)-base64.eml")
            }
        }
        let lines = try await found(try options(links: false))
        #expect(lines.count == count, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("trusted") }, "\(lines)")
        #expect(try await found(try options()) == lines)
    }

    @Test("in flowed text, whose lines end in a space that does not belong to the URL")
    func flowed() async throws {
        defer { tree.remove() }
        for width in [72, 60, 77] {
            let cut = stride(from: 0, to: url.utf8.count, by: width).map {
                url.dropFirst($0).prefix(width)
            }
            for (index, mark) in ["", "> "].enumerated() {
                let text = cut.joined(separator: " \n\(mark)")
                try tree.write(
                    "Subject: x\nContent-Type: text/plain; format=flowed\n\n"
                        + "\(mark)Your ticket \n\(mark)\(text)\n\nBye\n",
                    to: "\(width)-\(index).eml")
            }
        }
        let lines = try await found(try options(links: false))
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("trusted") }, "\(lines)")
        #expect(try await found(try options()) == lines)
    }

    @Test("in the messages, archives and pages that data: URLs hold, to a depth")
    func containers() async throws {
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        try tree.write(pass, to: "in/ticket.pkpass")
        try tree.shell(
            "gzip -k in/ticket.pkpass; cd in; python3 -m zipfile -c ticket.zip ticket.pkpass")
        func file(_ name: String) throws -> Data {
            try Data(contentsOf: tree.url.appendingPathComponent("in/\(name)"))
        }
        func link(_ type: String, _ data: Data) -> String {
            "data:\(type);base64,\(data.base64EncodedString())"
        }
        func page(_ url: String) -> String { "<html><a href=\"\(url)\">Ticket</a></html>" }
        func percent(_ text: String) -> String {
            text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
        }
        let message = Data(MailTree.message("inner", pass).utf8)
        var nested = url
        for _ in 0..<12 { nested = link("text/html", Data(page(nested).utf8)) }
        let wide = try #require(page(url).data(using: .utf16))
        let rows = [
            (link("message/rfc822", message), "trusted"),
            (link("application/gzip", try file("ticket.pkpass.gz")), "trusted"),
            (link("application/zip", try file("ticket.zip")), "trusted"),
            (link("application/octet-stream", try file("ticket.zip")), "trusted"),
            (link("text/html", Data(page(url).utf8)), "trusted"),
            (link("text/html;charset=utf-16", wide), "trusted"),
            ("data:text/html,\(percent(page(url)))", "trusted"),
            (nested, "limit-depth"),
        ]
        for (index, row) in rows.enumerated() {
            try tree.write(
                "Subject: x\nContent-Type: text/html\n\n\(page(row.0))\n",
                to: "mail/\(index).eml")
        }
        let lines = try await tree.run(try options(links: false), ["mail"]).lines
        #expect(lines.count == rows.count, "\(lines)")
        for (line, row) in zip(lines, rows) { #expect(line.contains(row.1), "\(line)") }
    }

    @Test("but not in a mention of such a URL, about which nothing is reported")
    func mentions() async throws {
        defer { tree.remove() }
        let type = "data:application/vnd.apple.pkpass;base64"
        let mentions = [
            "", ",", ",...", ",…", ",UEsDBBQAAAAI...", ",UEsDBBQAAAAI", ",<the pass in base64>",
        ]
        for (index, mention) in mentions.enumerated() {
            try tree.write("Subject: x\n\nWrite \(type)\(mention) there.\n", to: "\(index).eml")
            try tree.write(
                "Subject: x\nContent-Type: text/html\n\n<a href='\(type)\(mention)'>x</a>\n",
                to: "\(index)-html.eml")
        }
        let filling = String(repeating: "<p>UEsDBBQAAAAI/+9v</p>\n", count: 2)
        try tree.write(
            "Subject: x\nContent-Type: text/html\n\n<p>\(type),...</p>\n<p>\(url)</p>\(filling)",
            to: "both.eml")
        for links in [false, true] {
            let lines = try await tree.run(try options(links: links)).lines
            #expect(lines.filter { !$0.contains("data:") }.count == 1, "\(lines)")
            #expect(lines.count == (links ? 2 : 1), "\(lines)")
        }
    }

    @Test("within other URLs, and behind more links than are listed")
    func behindLinks() async throws {
        defer { tree.remove() }
        let links = (0..<1001).map { "<a href='https://x.example/\($0).pkpass'>x</a>\n" }
        let html = "Subject: x\nContent-Type: text/html\n\n"
        try tree.write(
            "\(html)<a href='https://x.example/show?file=\(url)'>x</a>\n", to: "a.eml")
        try tree.write("\(html)\(links.joined())<a href='\(url)'>x</a>\n", to: "b.eml")
        for links in [false, true] {
            let lines = try await found(try options(links: links))
            #expect(lines.filter { $0.contains("trusted") }.count == 2, "\(lines.suffix(5))")
        }
    }

    @Test("up to a total size for each message; exceeding it is reported once")
    func limit() async throws {
        defer { tree.remove() }
        let part = "--b\n\n\(url)\n"
        let mail = "Content-Type: multipart/mixed; boundary=b\n\n\(part)\(part)\(part)--b--\n"
        try tree.write(mail, to: "a.eml")
        try tree.write(mail, to: "b.eml")
        let size = url.utf8.count
        for (room, passes) in [(3 * size, 3), (3 * size - 1, 2), (size, 1), (size - 1, 0)] {
            var options = try options()
            options.links?.data = room
            let lines = try await found(options)
            #expect(lines.filter { $0.contains("trusted") }.count == 2 * passes, "\(lines)")
            let told = lines.filter { $0.hasSuffix("limit-link-size") }
            #expect(told.count == (passes == 3 ? 0 : 2), "\(lines)")
            // The beginnings of the links are still listed.
            #expect(try await tree.run(options).summary.links == 6)
        }
    }
}
