import Foundation
import PassModel
import Testing

@Suite("A pass is translated into the user's language")
struct LocalizedPassTests {
    private let json = """
        {"passTypeIdentifier": "pass.a", "serialNumber": "1", "organizationName": "org", "description": "desc",
        "generic": {"primaryFields": [{"key": "k", "label": "l", "value": "v", "changeMessage": "c"},
            {"key": "n", "value": 5, "attributedValue": "<a href='https://a.example'>home</a>"}]},
        "barcode": {"format": "PKBarcodeFormatQR", "message": "M", "altText": "alt"},
        "locations": [{"latitude": 1, "longitude": 1, "relevantText": "near"}]}
        """
    private let strings = [
        "en":
            #""org" = "Railway"; "desc" = "Ticket"; "l" = "Seat"; "v" = "Window"; "unused" = "x";"#,
        "de":
            #""org" = "Bahn"; "desc" = "Fahrkarte"; "l" = "Platz"; "c" = "Neu: %@"; "alt" = "Kode"; "near" = "Nah";"#,
    ]

    private func pass() throws -> Pass {
        try Pass(json: Array(json.utf8), strings: strings.mapValues { Array($0.utf8) })
    }

    @Test("Every text with a translation is replaced, and other texts are unchanged")
    func german() throws {
        let pass = try pass().localized(for: ["de-AT", "en"])
        #expect(
            pass.language == "de" && pass.organizationName == "Bahn" && pass.localizedName == "Bahn"
        )
        #expect(pass.localizedDescription == "Fahrkarte")
        #expect(pass.fields["k"]?.label == "Platz" && pass.fields["k"]?.changeMessage == "Neu: %@")
        #expect(pass.fields["n"]?.label == nil)
        #expect(
            pass.barcodes.first?.altText == "Kode" && pass.locations.first?.relevantText == "Nah")
    }

    @Test("English is used if the pass has none of the user's languages")
    func japanese() throws {
        let value = try pass().localizedValue(forFieldKey: "k", preferredLanguages: ["ja"])
        #expect(value == .text("Window"))
        #expect(
            try pass().localizedValue(forFieldKey: "n", preferredLanguages: ["ja"]) == .integer(5))
        #expect(try pass().localizedValue(forFieldKey: "none", preferredLanguages: ["ja"]) == nil)
    }

    @Test("A text that a language lacks is in another one, and in a last one as it is")
    func missingTexts() throws {
        let pass = try pass().localized(for: ["de"])
        #expect(pass.localizedValue(forFieldKey: "k") == .text("Window"))
        #expect(pass.fields["n"]?.attributedValue == "<a href='https://a.example'>home</a>")
    }

    @Test("A pass with one language is in that one, for every reader")
    func oneLanguage() throws {
        let pass = try Pass(
            json: Array(json.utf8), strings: ["de": Array(#""l" = "Platz";"#.utf8)])
        for reader in ["de", "en", "ja", "zh-Hant-TW"] {
            #expect(pass.localized(for: [reader]).language == "de")
            #expect(pass.localized(for: [reader]).fields["k"]?.label == "Platz")
        }
    }

    @Test("The language folders are in the order of the manifest, and limited")
    func localizations() throws {
        let bytes = Array(#""l" = "Platz";"#.utf8)
        var limits = PassLimits()
        func pass() throws -> Pass {
            try Pass(
                json: Array(json.utf8), strings: ["de": bytes, "en": bytes, "fr": bytes],
                localizations: ["fr", "images", "en", "fr"], limits: limits)
        }
        #expect(try pass().localizations == ["fr", "images", "en", "de"])
        #expect(try pass().localized(for: ["ja"]).language == "en")
        limits.languages = 2
        #expect(try pass().localizations == ["fr", "images"])
        #expect(try pass().strings.keys.sorted() == ["fr"])
        #expect(try pass().oddities.map(\.code).contains("too-many-languages"))
    }

    @Test("The search text contains every language, and no text twice")
    func searchableText() throws {
        let lines = try pass().searchableText.split(separator: "\n").map(String.init)
        #expect(lines.prefix(4) == ["org", "desc", "l", "v"])
        #expect(Set(lines).count == lines.count)
        for text in ["5", "home", "M", "Bahn", "Railway", "Fahrkarte", "Window", "Kode", "Nah"] {
            #expect(lines.contains(text))
        }
        #expect(!lines.contains("x"))
    }
}
