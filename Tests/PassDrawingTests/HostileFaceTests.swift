import PassDrawing
import Testing

@Suite("A hostile pass can be drawn safely")
struct HostileFaceTests {
    private static let field = #"{"key": "k", "label": "Label", "value": "Value"}"#

    @Test("of a thousand fields, those that fit are drawn")
    func manyFields() throws {
        let many = Array(repeating: Self.field, count: 1000).joined(separator: ",")
        let groups = ["headerFields", "primaryFields", "secondaryFields", "auxiliaryFields"]
            .map { #""\#($0)": [\#(many)]"# }.joined(separator: ",")
        for (style, count) in [("generic", 12), ("boardingPass", 14), ("eventTicket", 12)] {
            let test = TestFace(#""\#(style)": {\#(groups)}"#)
            #expect(try test.face().size.height < 600)
            #expect(try test.text().ranges(of: "Value").count == count, "\(style)")
        }
    }

    @Test(
        "a text of a megabyte is truncated",
        arguments: ["x", "\u{301}", "ﷺ", "<a>", "\\n", "\u{202E}", "👩‍👩‍👧‍👦", "مرحبا "])
    func longText(piece: String) throws {
        let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        let field =
            #"{"key": "k", "label": "\#(text)", "value": "\#(text)"}"#
        let test = TestFace(
            #""logoText": "\#(text)", "generic": {"primaryFields": [\#(field)]}"#)
        let face = try test.face()
        #expect(face.size.height < 600)
        #expect(face.spokenText.utf8.count < 40_000)
        #expect(try face.png(scale: 1).count > 1000)
    }

    @Test("text is never interpreted as markup, and cannot change the direction of other text")
    func markup() throws {
        let field = #"{"key": "k", "label": "<b>&amp;", "value": "a\u202Etxt.exe\u0007"}"#
        let test = TestFace(#""generic": {"primaryFields": [\#(field)]}"#)
        let text = try test.text()
        #expect(text.contains("<b>&amp;"))
        #expect(text.contains("atxt.exe"))
    }

    @Test(
        "an unusable image is left out",
        arguments: [
            "b''", "b'\\x89PNG\\r\\n\\x1a\\nbroken'", "filled(50, 50)[:70]",
            "declared(30000, 30000)",
            "declared(4097, 4096)", "declared(65536, 8)", "b'GIF89a' + bytes(100)",
            "b'\\xff\\xd8\\xff\\xe0' + bytes(100)", "b'<svg/>'",
            // A PNG with only its first rows, but otherwise complete, and a truncated JPEG.
            "png(50, 50, (b'\\0' + bytes((255, 0, 0, 255)) * 50) * 20)", "jpeg(400, 400)[:3000]",
            // Each scan takes as long to decode as the whole image.
            "scans(5000, 4096)",
        ])
    func pictures(python: String) throws {
        let json = """
            "logoText": "Name", "storeCard": {"primaryFields": [\(Self.field)]}
            """
        let names = ["logo.png", "strip.png", "thumbnail.png", "background.png", "footer.png"]
        let with = TestFace(json, images: names.map { ($0, python) })
        #expect(try with.face().png(scale: 1) == TestFace(json).face().png(scale: 1))
    }

    @Test(
        "an image of any shape",
        arguments: ["declared(8, 16384)", "declared(16384, 8)", "declared(8, 8)"],
        ["coupon", "eventTicket", "generic", "boardingPass"])
    func shapes(python: String, style: String) throws {
        let kinds = ["logo", "strip", "thumbnail", "background", "footer"]
        let test = TestFace(
            #""\#(style)": {"primaryFields": []}"#, images: kinds.map { ("\($0).png", python) })
        #expect(try test.pixels().height == 440)
    }

    @Test("an image of the maximum size is drawn")
    func largest() throws {
        let json = #""storeCard": {"primaryFields": []}"#
        let with = TestFace(json, images: [("strip.png", "declared(4096, 4096)")])
        #expect(try with.pixels().count(of: [0, 0, 0, 255]) > 50_000)
    }
}
