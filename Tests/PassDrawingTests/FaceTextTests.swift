import PassDrawing
import Testing

@Suite("Text needed at a gate is not truncated in favour of other text")
struct FaceTextTests {
    private static func fields(_ fields: [(label: String, value: String)]) -> String {
        fields.enumerated().map { index, field in
            #"{"key": "\#(index)", "label": "\#(field.label)", "value": "\#(field.value)"}"#
        }.joined(separator: ",")
    }

    @Test("header fields, beside a wide logo with a name", arguments: [160, 400, 20])
    func header(logo: Int) throws {
        let fields = Self.fields([
            ("DATE", "24 December 2026"), ("GATE", "B27"), ("SEAT", "12A"),
        ])
        let test = TestFace(
            #""logoText": "Deutsche Lufthansa AG", "boardingPass": {"headerFields": [\#(fields)]}"#,
            images: [("logo.png", "filled(\(logo), 50)")])
        let text = try test.text()
        for value in ["24 December 2026", "B27", "12A", "DATE", "GATE", "SEAT"] {
            #expect(text.contains(value), "\(text)")
        }
        // The logo keeps its shape and its position.
        let pixels = try test.pixels()
        #expect(pixels.count(of: [255, 0, 0, 255]) > 300)
        #expect(text.contains("Deutsche") == (logo == 20))
    }

    @Test("overlong header fields are truncated, and none is left out")
    func longHeader() throws {
        let long = String(repeating: "ABCDEFGH ", count: 20)
        let fields = Self.fields([("LONG", "1\(long)"), ("LONGER", "2\(long)"), ("SEAT", "12A")])
        let text = try TestFace(
            #""logoText": "Name", "boardingPass": {"headerFields": [\#(fields)]}"#,
            images: [("logo.png", "filled(160, 50)")]
        ).text()
        for value in ["1ABC", "2ABC", "12A"] { #expect(text.contains(value), "\(text)") }
    }

    @Test(
        "fields that do not fit side by side are in two rows",
        arguments: [
            [("VENUE", "Royal Albert Hall Lon"), ("DOORS OPEN", "Thursday, 24 December at 19:30")],
            [
                ("시작", "2026년 12월 24일 목요일 오후 7:30"),
                ("입장", "2026년 12월 24일 목요일 오후 6:30"),
            ],
            [("A", "12"), ("B", "Thursday, the 24th of December 2026, at half past seven")],
            [("A", "1"), ("B", "2"), ("C", "Thursday, the 24th of December 2026, at 7:30")],
        ])
    func rows(row: [(label: String, value: String)]) throws {
        for group in ["secondaryFields", "auxiliaryFields"] {
            let text = try TestFace(#""eventTicket": {"\#(group)": [\#(Self.fields(row))]}"#).text()
            #expect(!text.contains("…"))
            for field in row { #expect(text.contains(field.value), "\(text)") }
        }
    }
}
