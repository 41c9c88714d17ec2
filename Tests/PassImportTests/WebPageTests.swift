import Bytes
import Foundation
import MIME
import PassDetection
import PassImport
import PassLinks
import Testing

@Suite("A web page in place of a pass is recognised")
struct WebPageTests {
    private static func page(_ text: [UInt8], _ contentType: String?) throws -> WebPage? {
        let url = try #require(WebURL("https://x.example/t/page"))
        let file = DownloadedFile(
            .octets(SpooledBytes(text)), source: url.text,
            header: PartHeader(contentType: contentType, contentDisposition: nil))
        return try WebPage(file, at: url, contentType: contentType, types: .builtIn)
    }

    @Test(
        "by its declared type, or by its beginning",
        arguments: [
            ("<p>x", "text/html", true), ("<p>x", "Text/HTML; charset=x", true),
            ("", "text/html", true), ("<html>", "application/xhtml+xml", true),
            ("\u{FEFF}\r\n<!DOCTYPE HTML>", nil, true), ("<HTML lang=en>", "application/x", true),
            ("<p>x", nil, false), ("<p>x", "text/plain", false), ("{}", "application/json", false),
            ("PK\u{3}\u{4}<html>", "text/html", false),
            ("From ada@x.example Mon Jan  1 00:00:00 2024\nSubject: x\n\nx\n", "text/html", false),
            ("Received: by x.example\nSubject: x\n\n<html>\n", "text/html", false),
        ] as [(String, String?, Bool)])
    func known(text: String, contentType: String?, isPage: Bool) throws {
        #expect(try (Self.page(Array(text.utf8), contentType) != nil) == isPage)
    }

    /// The output of Python's `gzip.compress(b"<a href=a.pkpass>x</a>", mtime=0)`.
    @Test("even if the server compressed it without being asked, up to a size")
    func compressed() throws {
        let packed = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA7NJVMgoSk2zTdQryC5ILC62q7DRT7QDAOKqTXcWAAAA"))
        let links = ["https://x.example/t/a.pkpass"]
        #expect(try Self.page(Array(packed), "text/html")?.links.map(\.url) == links)
        #expect(try Self.page(Array(packed), nil) == nil)
        let cut = try Self.page(Array(packed.prefix(20)), "text/html")
        #expect(cut?.links.isEmpty == true)
    }

    @Test("its links are absolute, and its title is decoded from its character set")
    func contents() throws {
        // The output of Python's "Anmeldung für Gäste".encode("utf-16-le") and
        // .encode("iso-8859-1").
        let text = "<title>Anmeldung f\u{FC}r G\u{E4}ste</title><a href='../ticket.pkpass'>x</a>"
        let utf16 = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let latin1 = text.unicodeScalars.map { UInt8($0.value) }
        for (bytes, contentType) in [
            (Array(text.utf8), "text/html"), (utf16, "text/html; charset=UTF-16LE"),
            (latin1, "text/html; charset=\"iso-8859-1\""), (latin1, "text/html"),
        ] {
            let page = try #require(try Self.page(bytes, contentType))
            #expect(page.title == "Anmeldung f\u{FC}r G\u{E4}ste", "\(contentType)")
            #expect(
                page.links
                    == [Link(url: "https://x.example/ticket.pkpass", evidence: .fileExtension)])
        }
    }

    /// The bytes of the title are Python's "Привет".encode("koi8-r"); windows-1252 would give
    /// "ðÒÉ×ÅÔ". HTML, 13.2.3.2 defines which character set is used, and Firefox does the same.
    @Test(
        "a byte order mark takes precedence, a declaration in the page comes last",
        arguments: [
            ("<meta charset=koi8-r>", nil, "Привет"),
            ("<META CHARSET=' KOI8-R '>", "text/html", "Привет"),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "text/html",
                "Привет"
            ),
            ("<meta name=x content='charset=koi8-r'>", "text/html", "ðÒÉ×ÅÔ"),
            ("<meta charset=koi8-r>", "text/html; charset=windows-1252", "ðÒÉ×ÅÔ"),
            ("<!-- <meta charset=utf-8> --><meta charset=koi8-r>", "text/html", "Привет"),
            ("<script>'<meta charset=utf-8>'</script><meta charset=koi8-r>", nil, "Привет"),
            ("<meta charset=''><meta charset=koi8-r>", "text/html", "Привет"),
            (String(repeating: " ", count: 1024) + "<meta charset=koi8-r>", nil, "ðÒÉ×ÅÔ"),
        ] as [(String, String?, String)])
    func charset(head: String, contentType: String?, title: String) throws {
        let bytes: [UInt8] = [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]
        let text = Array("<html>\(head)<title>".utf8) + bytes + Array("</title>".utf8)
        #expect(try Self.page(text, contentType)?.title == title)
    }

    @Test("a byte order mark overrides the sender's declaration")
    func mark() throws {
        let html = "\u{FEFF}<html><meta charset=koi8-r><title>Привет</title>"
        let utf16 = html.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for text in [Array(html.utf8), utf16] {
            for type in ["text/html", "text/html; charset=koi8-r"] {
                #expect(try Self.page(text, type)?.title == "Привет")
            }
        }
    }
}
