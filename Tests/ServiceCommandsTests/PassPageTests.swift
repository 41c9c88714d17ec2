import Bytes
import Foundation
import PassFixtures
import PassModel
import PassPresentation
import PassService
import PassVerification
import Testing

@testable import ServiceCommands

@Suite("The download page is valid HTML and escapes text from the pass")
struct PassPageTests {
    private static let displayLocale = DisplayLocale(
        languages: ["en"], locale: Locale(identifier: "en_US"), timeZone: .gmt,
        now: Date(timeIntervalSince1970: 1_790_000_000))

    private func pass(_ extra: [String: Any]) throws -> Pass {
        var object: [String: Any] = [
            "formatVersion": 1, "passTypeIdentifier": "pass.example", "serialNumber": "E4",
            "teamIdentifier": "ABCDE12345", "organizationName": "Example Railways",
            "description": "Ticket", "generic": [String: Any](),
        ]
        object.merge(extra) { $1 }
        let json = try JSONSerialization.data(withJSONObject: object)
        return try Pass(json: [UInt8](json))
    }

    /// The visible texts, the links and the style of a page, as Python's html.parser reads them.
    private func parsed(_ html: String) throws -> (texts: [String], links: [String], style: String)
    {
        let program = """
            import html.parser, json, sys
            VOID = {"meta"}
            class Parser(html.parser.HTMLParser):
                open, texts, links, style = [], [], [], ""
                def handle_starttag(self, tag, attributes):
                    assert tag in ("html", "head", "meta", "title", "style", "body", "main", "h1", "p", "time", "a"), tag
                    for name, value in attributes:
                        assert not name.startswith("on") and name not in ("style", "src"), name
                        if name == "href": self.links.append(value)
                    if tag not in VOID: self.open.append(tag)
                def handle_endtag(self, tag):
                    assert self.open.pop() == tag
                def handle_data(self, text):
                    if self.open and self.open[-1] == "style": self.style += text
                    elif text.strip(): self.texts.append(text.strip())
            parser = Parser()
            parser.feed(sys.stdin.buffer.read().decode())
            parser.close()
            assert not parser.open
            print(json.dumps([parser.texts, parser.links, parser.style]))
            """
        let output = try run(["python3", "-c", program], input: Array(html.utf8))
        let values = try #require(
            try JSONSerialization.jsonObject(with: Data(output)) as? [Any])
        return (
            try #require(values[0] as? [String]), try #require(values[1] as? [String]),
            try #require(values[2] as? String)
        )
    }

    @Test("the page shows organisation, description, date and a link")
    func contents() throws {
        let pass = try pass([
            "relevantDate": "2026-09-22T10:00:00Z", "backgroundColor": "rgb(22, 55, 110)",
            "foregroundColor": "#fff",
        ])
        let page = PassPage(pass, Self.displayLocale).page("key/pass.pkpass")
        let parsed = try parsed(page.html)
        #expect(parsed.texts.count == 5)
        #expect(parsed.texts.first == "Example Railways, Ticket")
        #expect(Array(parsed.texts[1...2]) == ["Example Railways", "Ticket"])
        #expect(parsed.texts[3].contains("September 22, 2026 at 10:00"))
        #expect(parsed.texts.last == "Get the pass")
        #expect(parsed.links == ["key/pass.pkpass"])
        #expect(parsed.style == page.style)
        #expect(page.style.contains("background:rgb(22, 55, 110);color:rgb(255, 255, 255);"))
        // xmllint reads HTML 4; it knows neither <main> nor <time>.
        _ = try run(["xmllint", "--html", "--noout", "-"], input: Array(page.html.utf8))
    }

    @Test("a download that fails is explained")
    func failures() throws {
        let maker = PassPage.maker(Self.displayLocale)
        for (subject, title, advice) in [
            (
                DownloadPage.Subject.notFound, "There is no pass here",
                "The link is incomplete, or the pass was removed."
            ),
            (
                .unavailable, "The pass cannot be downloaded at present",
                "Try again in a few minutes."
            ),
        ] {
            let page = try #require(maker(subject))
            let parsed = try parsed(page.html)
            #expect(parsed.texts == [title, title, advice])
            #expect(parsed.links == [])
            #expect(parsed.style == page.style)
            _ = try run(["xmllint", "--html", "--noout", "-"], input: Array(page.html.utf8))
        }
    }

    @Test("markup in a pass is shown as text")
    func markup() throws {
        let hostile = #"</title></style><script>alert("1")</script>&amp;<a href='x' onclick="y">"#
        let pass = try pass(["organizationName": hostile, "description": hostile + "\u{202E}"])
        let page = PassPage(pass, Self.displayLocale).page("a\"'><b>/pass.pkpass")
        let parsed = try parsed(page.html)
        #expect(parsed.texts.contains(hostile))
        #expect(parsed.texts.contains(hostile + "\\u{202E}"))
        #expect(parsed.links == ["a\"'><b>/pass.pkpass"])
        #expect(parsed.style == page.style)
    }

    @Test(
        "colours with too little contrast are replaced",
        arguments: [
            ("rgb(255,255,255)", "rgb(250,250,250)", "color:rgb(0, 0, 0);"),
            ("rgb(0,0,0)", "rgb(10,10,10)", "color:rgb(255, 255, 255);"),
            ("rgb(0,0,0)", "rgb(255,255,0)", "color:rgb(255, 255, 0);"),
        ])
    func colours(ground: String, ink: String, expected: String) throws {
        let pass = try pass(["backgroundColor": ground, "foregroundColor": ink])
        let page = PassPage(pass, Self.displayLocale).page("a")
        #expect(page.style.contains(";\(expected)"))
    }

    @Test(
        "the page says that a void or expired pass is no longer valid",
        arguments: [
            ("voided", true as any Sendable, true), ("voided", false, false),
            ("expirationDate", "2026-09-21T14:13:19Z", true),
            ("expirationDate", "2026-09-21T14:13:21Z", false),
        ])
    func validity(key: String, value: any Sendable, isInvalid: Bool) throws {
        let page = PassPage(try pass([key: value]), Self.displayLocale).page("a")
        #expect(try parsed(page.html).texts.contains("No longer valid") == isInvalid)
    }
}
