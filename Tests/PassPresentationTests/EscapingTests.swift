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
            ("a\u{34F}b", "a\\u{34F}b"), ("\u{2800}", "\\u{2800}"),
            ("\u{115F}\u{1160}\u{3164}\u{FFA0}", "\\u{115F}\\u{1160}\\u{3164}\\u{FFA0}"),
            ("\u{FFF9}a\u{FFFB}", "\\u{FFF9}a\\u{FFFB}"),
            // Selectors of forms that the character before them does not have.
            ("a\u{FE0F}b\u{FE00}", "a\\u{FE0F}b\\u{FE00}"), ("\u{FE0F}", "\\u{FE0F}"),
            ("1\u{FE0F}2", "1\\u{FE0F}2"), ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{FE0F}"),
            ("a\u{E0100}\u{180B}", "a\\u{E0100}\\u{180B}"),
            // Flags without a region, without an end, or with too much.
            ("🏴\u{E007F}", "🏴\\u{E007F}"),
            ("🏴\u{E0067}\u{E0062}", "🏴\\u{E0067}\\u{E0062}"),
            (
                "🏴\u{E0067}\u{E0062}\u{E0065}\u{E0041}\u{E007F}",
                "🏴\\u{E0067}\\u{E0062}\\u{E0065}\\u{E0041}\\u{E007F}"
            ),
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

    @Test("tabs and line breaks are white space in a text of a pass")
    func inOneLine() {
        let text = "a\tb\r\nc\rd\ne\u{B}f\u{C}g\u{85}h\u{2028}i\u{2029}\t \u{1B}j"
        #expect(PassPresentation.inOneLine(text).escaped == "a b c d e f g h i  \\u{1B}j")
        #expect(
            headline(organization: "Example\tAir", matter: "LIS\u{2028}OPO")
                == "Example Air, LIS OPO")
    }

    /// Default_Ignorable_Code_Point in DerivedCoreProperties.txt of Unicode 14, but the joiners.
    private static let ignorable: [ClosedRange<UInt32>] = [
        0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5,
        0x180B...0x180F, 0x200B...0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x206F,
        0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFF8,
        0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]

    @Test("every default ignorable code point is shown where it stands alone", arguments: ignorable)
    func showsIgnorable(range: ClosedRange<UInt32>) {
        for scalar in range.compactMap(Unicode.Scalar.init) {
            let shown = "a\\u{\(String(scalar.value, radix: 16, uppercase: true))}b"
            #expect("a\(scalar)b".escaped == shown)
        }
    }

    @Test(
        "ordinary text is unchanged",
        arguments: [
            "", "Example Air", "Zürich – Genève", "東京 → 大阪", "🛫", "مرحبا", "e\u{301}", "\\u{1B}",
            // A heart, a keycap, a family, and the flags of England and of a rainbow.
            "❤\u{FE0F}", "☎\u{FE0E}", "1\u{FE0F}\u{20E3}", "👨‍👩‍👧", "🏳\u{FE0F}\u{200D}🌈",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            // A Japanese name, and a Mongolian word.
            "葛\u{E0100}城", "\u{1820}\u{180B}\u{1828}",
        ])
    func leavesAlone(text: String) {
        #expect(text.escaped == text)
    }
}
