import Bytes
import Testing

@Suite("The size of a picture is read from its header")
struct PictureSizeTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let header: [UInt8] =
        [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 2, 0, 0, 0, 3, 8, 6, 0, 0, 0, 1, 2, 3, 4]
    /// Xcode's chunk before the header.
    private static let xcode: [UInt8] =
        [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0, 0x20, 2, 0x2B, 0xD5, 0xB3, 0x7F]
    /// APP0, as JFIF defines it.
    private static let jfif: [UInt8] =
        [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    /// ITU-T T.81, B.2.2.
    private static func frame(_ marker: UInt8) -> [UInt8] {
        [0xFF, marker, 0, 11, 8, 0, 3, 1, 2, 1, 1, 0x11, 0]
    }

    @Test(
        "of a PNG or JPEG: 258 by 3 pixels",
        arguments: [
            png + header, png + xcode + header, [0xFF, 0xD8] + jfif + frame(0xC0),
            [0xFF, 0xD8] + frame(0xC2), [0xFF, 0xD8, 0xFF, 0xFF] + frame(0xCF),
            // A table before the frame.
            [0xFF, 0xD8, 0xFF, 0xC4, 0, 3, 0] + frame(0xC1),
        ])
    func size(bytes: [UInt8]) {
        let size = PictureSize(bytes.span)
        #expect(size?.width == 258)
        #expect(size?.height == 3)
    }

    @Test(
        "of nothing else",
        arguments: [
            [], png, png + header.prefix(15), png + xcode + xcode + header,
            png + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8) + header,
            png + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 0, 0, 0, 0, 3, 8, 6, 0, 0, 0],
            [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8] + jfif,
            [0xFF, 0xD8] + frame(0xC0).prefix(8), [0xFF, 0xD8] + frame(0xC4),
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + frame(0xC0), [0xFF, 0xD8, 0xFF, 0xD9] + frame(0xC0),
            [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + frame(0xC0), Array("GIF89a".utf8) + [1, 0, 1, 0],
        ] as [[UInt8]])
    func none(bytes: [UInt8]) {
        #expect(PictureSize(bytes.span) == nil)
    }
}
