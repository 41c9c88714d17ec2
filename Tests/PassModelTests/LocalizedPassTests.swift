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
        #expect(pass.localizedValue(forFieldKey: "k") == .text("v"))
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
