import PassDrawing
import Testing

@Suite("Images are sent from the process that decodes them to the process that draws them")
struct FacePicturesBytesTests {
    private static let filled = "filled(320, 100)"

    private func test() -> TestFace {
        TestFace(
            #""eventTicket": {"primaryFields": []}"#,
            images: [
                ("logo.png", Self.filled), ("thumbnail@2x.png", "filled(90, 90, 0, 255, 0, 128)"),
                ("background.png", "filled(180, 220, 0, 0, 255, 255)"),
            ])
    }

    @Test("they are drawn as if decoded in the same process")
    func sameFace() throws {
        let test = test()
        let pictures = try test.pictures()
        let face = PassFace(
            try test.pass(), try #require(FacePictures(bytes: pictures.bytes)),
            for: test.options)
        #expect(try face.png(scale: 2) == test.face().png(scale: 2))
        let bare = PassFace(try test.pass(), .none, for: test.options)
        #expect(try face.png(scale: 2) != bare.png(scale: 2))
    }

    @Test("bytes that the other process would not write are refused")
    func refused() throws {
        let bytes = try test().pictures().bytes
        #expect(FacePictures(bytes: []) == nil)
        #expect(FacePictures(bytes: Array(bytes.dropLast())) == nil)
        #expect(FacePictures(bytes: bytes + [0]) == nil)
        // Invalid values for the logo: width, height, size in points.
        for (place, values) in [
            (0, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            (8, [0, 0, 0, 0, 1, 0, 0, 0]), (8, [0, 0, 0, 0, 0, 0, 0, 0]),
            // Infinite, not a number, and negative.
            (16, [0, 0, 0, 0, 0, 0, 0xF0, 0x7F]), (24, [0, 0, 0, 0, 0, 0, 0xF8, 0x7F]),
            (24, [0, 0, 0, 0, 0, 0, 0xF0, 0xBF]),
        ] as [(Int, [UInt8])] {
            var broken = bytes
            broken.replaceSubrange(place..<place + 8, with: values)
            #expect(FacePictures(bytes: broken) == nil, "\(place): \(values)")
        }
    }
}
