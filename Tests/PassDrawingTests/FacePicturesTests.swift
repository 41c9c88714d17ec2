import PassDrawing
import Testing

@Suite("Images have the positions and sizes given in Apple's documentation")
struct FacePicturesTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let base = #""backgroundColor": "rgb(0,0,255)""#

    @Test(
        "by style and kind, in points",
        arguments: [
            // A logo may have 160 by 50 points; a smaller one keeps its size.
            ("generic", "logo.png", "filled(320, 100)", 160 * 50),
            ("generic", "logo@2x.png", "filled(60, 60)", 30 * 30),
            ("generic", "logo.png", "filled(30, 600)", 2 * 50),
            ("generic", "thumbnail.png", "filled(90, 90)", 90 * 90),
            ("generic", "thumbnail@2x.png", "filled(900, 300)", 90 * 60),
            ("coupon", "strip@2x.png", "filled(750, 288)", 375 * 144),
            ("storeCard", "strip.png", "filled(375, 123)", 375 * 123),
            ("eventTicket", "strip@3x.png", "filled(1125, 294)", 375 * 98),
            ("boardingPass", "footer.png", "filled(286, 15)", 286 * 15),
            ("coupon", "thumbnail.png", "filled(90, 90)", 0),
            ("generic", "strip.png", "filled(375, 123)", 0),
            ("generic", "icon.png", "filled(29, 29)", 0),
        ])
    func sizes(style: String, name: String, python: String, area: Int) throws {
        let test = TestFace(
            #"\#(Self.base), "\#(style)": {"primaryFields": []}"#, images: [(name, python)])
        let count = try test.pixels().count(of: Self.red)
        // Pixels at edges are blended, and corners are round.
        #expect(count <= area)
        #expect(Double(count) >= Double(area) * 0.8)
    }

    @Test("the background of an event ticket is blurred and covers the card")
    func background() throws {
        // Black and white stripes of fifteen points.
        let stripes =
            "png(180, 220, (b'\\0' + (bytes((0, 0, 0, 255)) * 15 + bytes((255,) * 4) * 15) * 6) * 220)"
        let test = TestFace(
            #""backgroundColor": "rgb(255,0,0)", "eventTicket": {"primaryFields": []}"#,
            images: [("background.png", stripes)])
        let pixels = try test.pixels()
        let middle = pixels[187, 300]
        #expect(middle[0] == middle[1] && middle[1] == middle[2])
        let greys = Set((20..<350).map { pixels[$0, 300][0] })
        // The greys lie between black and white, with all shades between them.
        #expect(greys.count > 40)
        #expect(greys.allSatisfy { 20 < $0 && $0 < 235 })
    }

    @Test("images in the reader's language come first")
    func languages() throws {
        var test = TestFace(
            #"\#(Self.base), "generic": {"primaryFields": []}"#,
            images: [
                ("thumbnail.png", "filled(90, 90)"),
                ("de.lproj/thumbnail.png", "filled(90, 90, 0, 255, 0, 255)"),
            ])
        #expect(try test.pixels().count(of: Self.red) > 6000)
        test.options = TestFace.options("de-AT")
        #expect(try test.pixels().count(of: [0, 255, 0, 255]) > 6000)
    }

    @Test(
        "an unusable image is replaced by the next best",
        arguments: [
            (["thumbnail@2x.png": "b'junk'", "thumbnail.png": "filled(90, 90)"], "en"),
            (["en.lproj/thumbnail.png": "b''", "thumbnail.png": "filled(90, 90)"], "en"),
            (["de.lproj/thumbnail.png": "filled(90, 90)"], "en"),
            (["de.lproj/thumbnail.png": "b''", "fr.lproj/thumbnail.png": "filled(90, 90)"], "ko"),
            // A JPEG without its end marker.
            (["thumbnail.png": "jpeg(400, 400)[:-2]"], "en"),
        ])
    func nextBest(images: [String: String], language: String) throws {
        let json = #"\#(Self.base), "generic": {"primaryFields": []}"#
        var test = TestFace(json, images: images.map { ($0.key, $0.value) })
        test.options = TestFace.options(language)
        test.options.scale = 2
        var bare = TestFace(json)
        bare.options = test.options
        let (with, without) = (try test.pixels(), try bare.pixels())
        #expect(without.count(of: [0, 0, 255, 255]) - with.count(of: [0, 0, 255, 255]) > 6000)
    }
}
