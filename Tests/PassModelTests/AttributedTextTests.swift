import Foundation
import PassModel
import Testing

@Suite("An attributed value is plain text with links")
struct AttributedTextTests {
    @Test(
        arguments: [
            ("plain", "plain", [:]), ("", "", [:]),
            (
                "<a href='https://a.example/?x=1&amp;y=2'>Edit</a> it", "Edit it",
                ["Edit": "https://a.example/?x=1&y=2"]
            ),
            (
                "<A HREF = \"tel:1\">1</A>, <a href=mailto:x@y>2", "1, 2",
                ["1": "tel:1", "2": "mailto:x@y"]
            ),
            ("a &lt; b &amp;&#38; c &#x41; &unknown; &", "a < b && c A &unknown; &", [:]),
            ("a < b", "a < b", [:]), ("1 < 2 > 0", "1 < 2 > 0", [:]),
            ("<b>x</b><br>y", "x\ny", [:]),
            ("<a>x</a>", "x", [:]), ("<a href='x", "<a href='x", [:]), ("é&é;é", "é&é;é", [:]),
        ] as [(String, String, [String: String])])
    func html(html: String, text: String, links: [String: String]) {
        let attributed = AttributedText(html)
        #expect(attributed.text == text)
        let found = attributed.links.map { ($0.text, $0.url.absoluteString) }
        #expect(Dictionary(found) { $1 } == links)
    }

    @Test(
        "Time grows linearly with the size of hostile input", .serialized,
        arguments: [
            "<", "<a href=x>", "&", "&amp;", "<>", "</a>", "&#x;",
        ])
    func linear(unit: String) {
        let ratio = timeRatio { size in
            Array(String(repeating: unit, count: size / unit.utf8.count).utf8)
        } work: { bytes in
            _ = AttributedText(String(decoding: bytes, as: UTF8.self))
        }
        #expect(ratio < 8)
    }
}
