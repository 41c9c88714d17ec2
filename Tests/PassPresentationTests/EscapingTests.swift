import Foundation
import PassPresentation
import Testing

@Suite("Untrusted text cannot control a terminal")
struct EscapingTests {
    @Test(
        "control, bidirectional and invisible characters are shown by their code points",
        arguments: [
            ("\u{1B}[31mred", "\\u{1B}[31mred"),
            ("\u{1B}]0;title\u{07}", "\\u{1B}]0;title\\u{7}"),
            ("two\nlines", "two\\u{A}lines"),
            ("back\rover", "back\\u{D}over"),
            ("\r\n", "\\u{D}\\u{A}"),
            ("tab\there", "tab\\u{9}here"),
            ("nul\0", "nul\\u{0}"),
            ("\u{7F}", "\\u{7F}"),
            ("\u{80}\u{9B}31m\u{9F}", "\\u{80}\\u{9B}31m\\u{9F}"),
            ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"),
            ("\u{202A}\u{202B}\u{202C}\u{202D}", "\\u{202A}\\u{202B}\\u{202C}\\u{202D}"),
            ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
            ("\u{200E}\u{200F}\u{61C}", "\\u{200E}\\u{200F}\\u{61C}"),
            ("zero\u{200B}width\u{FEFF}", "zero\\u{200B}width\\u{FEFF}"),
            ("a\u{2060}b\u{180E}", "a\\u{2060}b\\u{180E}"),
            (
                "\u{0645}\u{06CC}\u{200C}\u{0631}\u{0648}\u{0645}",
                "\u{0645}\u{06CC}\u{200C}\u{0631}\u{0648}\u{0645}"
            ),
            ("\u{1F468}\u{200D}\u{1F467}", "\u{1F468}\u{200D}\u{1F467}"),
            ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"),
            ("\u{E0041}tag", "\\u{E0041}tag"),
            ("soft\u{AD}hyphen", "soft\\u{AD}hyphen"),
        ])
    func escapes(text: String, shown: String) {
        #expect(text.escaped == shown)
    }

    @Test(
        "in JSON the same characters get the escapes of JSON, which keep its meaning",
        arguments: [
            ("\u{7F}\u{9B}31m", #"\u007f\u009b31m"#), ("\u{202E}gpj", #"\u202egpj"#),
            ("\u{E0041}\u{E007F}", #"\udb40\udc41\udb40\udc7f"#), ("\u{FEFF}", #"\ufeff"#),
            ("\u{2028}\u{AD}", #"\u2028\u00ad"#), ("\u{1F468}\u{200D}\u{1F467}", nil),
            (#"é🛫 \n \u202e"#, nil),
        ])
    func escapesInJSON(text: String, shown: String?) throws {
        #expect(text.escapedInJSON == shown ?? text)
        func read(_ text: String) throws -> [String] {
            try JSONDecoder().decode([String].self, from: Data("[\"\(text)\"]".utf8))
        }
        #expect(try read(text.escapedInJSON) == read(text))
    }

    @Test(
        "ordinary text is unchanged",
        arguments: [
            "", "Example Air", "Zürich – Genève", "東京 → 大阪", "🛫", "مرحبا", "e\u{301}", "\\u{1B}",
        ])
    func leavesAlone(text: String) {
        #expect(text.escaped == text)
    }
}
