import Bytes
import MIME
import PassDetection
import PassImport
import Testing

@Suite("A web page in the place of a pass is known as one")
struct WebPageTests {
    private static func page(_ text: [UInt8], _ contentType: String?) throws -> WebPage? {
        let url = try #require(WebURL("https://x.example/t/page"))
        let file = DownloadedFile(
            .octets(Octets(text)), source: url.text, header: PartHeader(names: []))
        return try WebPage(file, at: url, contentType: contentType, types: .builtIn)
    }

    @Test(
        "by what is said of it, or by its beginning",
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

    @Test("its links are absolute, and its title is read in its character set")
    func contents() throws {
        // What Python's "Anmeldung für Gäste".encode("utf-16-le") and .encode("iso-8859-1") give.
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
}
