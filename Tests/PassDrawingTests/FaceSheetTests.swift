import Foundation
import PassDrawing
import Testing

@Suite("The back of a pass is drawn beside its front or on the next page")
struct FaceSheetTests {
    private static let sample = TestFace(
        """
        "logoText": "Carrier", "webServiceURL": "https://example.org/", "generic": {
            "primaryFields": [{"key": "p", "label": "Name", "value": "Ada"}],
            "backFields": [
                {"key": "a", "label": "Conditions", "value": "Bring the dog.\\n\\nAnd its bone."},
                {"key": "b", "label": "More", "value": "See there",
                 "attributedValue": "<a href='https://example.org/more'>See there</a>"},
                {"key": "c", "label": "التذاكر", "value": "مرحبا بالعالم"}
            ]}
        """)

    @Test("with its links, in wrapped lines")
    func back() throws {
        let long = String(repeating: "word ", count: 300)
        let test = TestFace(
            #""generic": {"backFields": [{"key": "a", "label": "L", "value": "\#(long)end"}]}"#)
        let text = try TestFace.text(in: test.back().pdf(title: ""))
        #expect(text.contains("end") && !text.contains("…"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 80 })
        let back = try Self.sample.back()
        let words = try TestFace.text(in: back.pdf(title: ""))
        for part in [
            "Carrier", "Conditions", "Bring the dog.", "And its bone.", "See there",
            "https://example.org/more",
        ] {
            #expect(words.contains(part), "\(words)")
            #expect(back.spokenText.contains(part))
        }
        #expect(!words.contains("Ada"))
        #expect(try TestFace("").back().spokenText.contains("The back is empty."))
    }

    @Test("each card has a page of its size in a PDF")
    func pages() throws {
        let faces = [try Self.sample.face(), try Self.sample.back()]
        let pdf = try FaceSheet([faces, faces]).pdf(title: "Title")
        let pages = String(
            decoding: try run(["pdfinfo", "-l", "9", "-"], input: pdf), as: UTF8.self)
        #expect(pages.contains("Pages:           4"), "\(pages)")
        #expect(pages.contains("375 x 440"))
    }

    @Test("in an image, backs are beside fronts, and passes below each other", arguments: [1, 3])
    func picture(scale: Int) throws {
        let faces = [try Self.sample.face(), try Self.sample.back()]
        let png = try FaceSheet([faces, [faces[0]]]).png(scale: scale)
        let pixels = try Pixels(png: png)
        #expect(pixels.width == (375 + 16 + 375) * scale)
        #expect(pixels.height == (440 + 16 + 440) * scale)
        // The gap between two cards is transparent.
        #expect(pixels[383 * scale, 200 * scale][3] == 0)
        #expect(pixels[200 * scale, 448 * scale][3] == 0)
        #expect(pixels[600 * scale, 700 * scale][3] == 0)
        #expect(pixels[600 * scale, 300 * scale] == [255, 255, 255, 255])
        let alone = try faces[0].png(scale: scale)
        #expect(try Pixels(png: alone)[20 * scale, 20 * scale] == pixels[20 * scale, 476 * scale])
    }

    @Test("too many passes for an image are refused, but fit into a PDF")
    func many() throws {
        let faces = Array(repeating: [try Self.sample.face()], count: 80)
        #expect(throws: DrawingError.tooLarge) { try FaceSheet(faces).png(scale: 1) }
        #expect(throws: DrawingError.tooLarge) { try FaceSheet(faces).svg() }
        #expect(try FaceSheet(faces).pdf(title: "").count > 10_000)
    }

    @Test("the length of a back is limited", arguments: ["x", "a\\n", "\u{301}", "ﷺ"])
    func hostile(piece: String) throws {
        let long = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        let one = TestFace(
            #""generic": {"backFields": [{"key": "a", "label": "L", "value": "\#(long)"}]}"#)
        let cut = try one.back()
        #expect(cut.size.height < 3000)
        // The text as pdftotext reads it.
        let page = try FaceSheet([[cut]]).pdf(title: "")
        let text = String(
            decoding: try run(["pdftotext", "-raw", "-", "-"], input: page), as: UTF8.self)
        #expect(text.contains("\u{2026}"))
        let field = #"{"key": "k", "label": "Label", "value": "Value"}"#
        let many = Array(repeating: field, count: 1000).joined(separator: ",")
        let back = try TestFace(#""generic": {"backFields": [\#(many)]}"#).back()
        #expect(back.size.height < 3200)
        #expect(back.spokenText.hasSuffix("more"))
        #expect(try back.png(scale: 1).count > 1000)
    }
}
