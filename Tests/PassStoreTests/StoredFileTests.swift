import Foundation
import PassFixtures
import PassModel
import PassStore
import Testing

@Suite("A stored pass gives its texts and images in the user's language")
struct StoredFileTests {
    let scratch = Scratch()

    /// The header of a PNG of this size (PNG, 11.2.1), and a name to recognise it by.
    private static func png(_ width: UInt32, _ height: UInt32, _ name: String) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [width, height].flatMap { size in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
            } + [8, 6, 0, 0, 0, 0, 0, 0, 0] + Array(name.utf8)
    }

    private func stored(
        _ files: [(name: String, bytes: [UInt8])], in library: PassLibrary
    ) throws -> StoredPass {
        let json = Array(try TestPass(fields: [("seat", "3")]).json)
        _ = try library.add([IncomingPass(storedArchive([("pass.json", json)] + files))])
        return try #require(try library.passes().first)
    }

    private func image(
        _ files: [(name: String, bytes: [UInt8])], _ name: PassImageName, scale: Int,
        languages: [String] = ["en"]
    ) throws -> Data? {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let version = try stored(files, in: library).current
        return try library.image(
            name, of: version, scale: scale, preferredLanguages: languages)
    }

    @Test(
        "the image for the scale, else the next larger, else the largest",
        arguments: [
            (["icon.png", "icon@2x.png", "icon@3x.png"], 2, "icon@2x.png"),
            (["icon.png", "icon@3x.png"], 2, "icon@3x.png"),
            (["icon.png", "icon@2x.png"], 3, "icon@2x.png"),
            (["icon@2x.png", "icon.png"], 9, "icon@2x.png"),
            (["icon@2x.png", "icon@3x.png"], .min, "icon@2x.png"),
            (["logo.png"], 1, nil),
        ])
    func scale(names: [String], scale: Int, expected: String?) throws {
        let files = names.map { (name: $0, bytes: Self.png(29, 29, $0)) }
        let expected = expected.map { Data(Self.png(29, 29, $0)) }
        #expect(try image(files, .icon, scale: scale) == expected)
    }

    @Test("each image has the name that Apple gives it", arguments: PassImageName.allCases)
    func names(name: PassImageName) throws {
        let names = [
            "icon", "logo", "primaryLogo", "secondaryLogo", "thumbnail", "strip", "background",
            "artwork", "footer", "venueMap", "personalizationLogo",
        ]
        let files = names.map { (name: "\($0)@2x.png", bytes: Self.png(9, 9, $0)) }
        #expect(try image(files, name, scale: 2) == Data(Self.png(9, 9, "\(name)")))
    }

    @Test(
        "the image in the user's language first",
        arguments: [
            (["de-AT"], "de.lproj/logo.png"), (["pt-BR"], "pt.lproj/logo.png"),
            (["ko"], "logo@2x.png"), ([], "logo@2x.png"), (["ko", "de"], "de.lproj/logo.png"),
        ])
    func language(languages: [String], expected: String) throws {
        let names = ["logo@2x.png", "de.lproj/logo.png", "pt.lproj/logo.png"]
        let files = names.map { (name: $0, bytes: Self.png(9, 9, $0)) }
        #expect(
            try image(files, .logo, scale: 2, languages: languages)
                == Data(Self.png(9, 9, expected)))
    }

    @Test(
        "an image that is too large or damaged is passed over for the next one",
        arguments: [
            png(16_385, 1, "wide"), png(1, 16_385, "high"), png(4096, 4097, "many pixels"),
            png(.max, .max, "huge"), png(0, 9, "empty"), Array("<svg/>".utf8), [],
            Array(png(9, 9, "cut").prefix(20)),
        ])
    func refused(bytes: [UInt8]) throws {
        #expect(try image([("strip@2x.png", bytes)], .strip, scale: 2) == nil)
        let next = Self.png(16_384, 1024, "next")
        let library = try PassLibrary(at: scratch.url.appending(path: "2"), for: .writing)
        let version = try stored([("strip@2x.png", bytes), ("strip.png", next)], in: library)
            .current
        #expect(
            try library.image(.strip, of: version, scale: 2, preferredLanguages: [])
                == Data(next))
    }

    @Test("not of a pass file that was changed")
    func changed() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let version = try stored([("icon.png", Self.png(9, 9, ""))], in: library).current
        try Data("other".utf8).write(to: library.file(of: version))
        #expect(throws: LibraryError.damagedPass(sha256: version.sha256, reason: .changed)) {
            try library.image(.icon, of: version, scale: 1, preferredLanguages: [])
        }
    }

    @Test(
        "name, description and fields in the user's language",
        arguments: [
            (["ko"], "한국 철도", "표", "좌석 삼"), (["ja", "ko-KR"], "한국 철도", "표", "좌석 삼"),
            (["pt"], "한국 철도", "표", "좌석 삼"),
        ])
    func texts(languages: [String], name: String, description: String, seat: String) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let strings = """
            "Example Railways" = "한국 철도";
            "Ticket" = "표";
            "3" = "좌석 삼";
            """
        let stored = try stored([("ko.lproj/pass.strings", Array(strings.utf8))], in: library)
        let shown = try library.localized(stored, for: languages)
        #expect(shown.localizedName == name)
        #expect(shown.localizedDescription == description)
        #expect(shown.localizedValue(forFieldKey: "field0") == .text(seat))
    }

    @Test("a pass is found by its URL")
    func url() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass(serial: "7/8 %").incoming()])
        let stored = try #require(try library.passes().first)
        let url = "passconduit:pass/pass.com.example.ticket/7%2F8%20%25"
        #expect(stored.passURL.absoluteString == url)
        let identity = try #require(PassIdentity(passURL: stored.passURL))
        #expect(try library.pass(identity) == stored)
    }
}
