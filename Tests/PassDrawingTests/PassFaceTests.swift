import PassDrawing
import PassModel
import Testing

@Suite("A pass is drawn in its style, with the text of its fields")
struct PassFaceTests {
    private static func json(_ style: String, _ groups: String, rest: String = "") -> String {
        #""backgroundColor": "rgb(20,60,110)", "foregroundColor": "rgb(255,255,255)", "#
            + #""labelColor": "rgb(255,220,0)", "logoText": "Carrier"\#(rest), "#
            + #""\#(style)": {\#(groups)}"#
    }

    private static let fields = """
        "headerFields": [{"key": "g", "label": "Gate", "value": "23"}],
        "primaryFields": [{"key": "f", "label": "From", "value": "LIS"},
            {"key": "t", "label": "To", "value": "OPO"}],
        "secondaryFields": [{"key": "n", "label": "Passenger", "value": "Ada Lovelace"}],
        "auxiliaryFields": [{"key": "s", "label": "Seat", "value": "12A"}]
        """

    @Test("an event ticket has a notch in the middle of its top")
    func cutOut() throws {
        let pixels = try TestFace(Self.json("eventTicket", Self.fields)).pixels()
        #expect(pixels[187, 5][3] == 0)
        #expect(pixels[140, 5][3] == 255)
        #expect((13...15).contains(pixels.clear(inColumn: 187)))
    }

    @Test("a boarding pass has a notch on each side")
    func notches() throws {
        let pixels = try TestFace(Self.json("boardingPass", Self.fields)).pixels()
        let plain = try TestFace(Self.json("generic", Self.fields)).pixels()
        for x in [2, pixels.width - 3] {
            // The corners of both cards are the same.
            #expect((8...12).contains(pixels.clear(inColumn: x) - plain.clear(inColumn: x)))
        }
    }

    @Test("a coupon is perforated above and below")
    func perforation() throws {
        let pixels = try TestFace(Self.json("coupon", Self.fields)).pixels(scale: 2)
        for y in [0, pixels.height - 1] { #expect(pixels.clear(inRow: y) > 300) }
        #expect(pixels.clear(inRow: 8) == 0)
        #expect(pixels.clear(inRow: pixels.height - 9) == 0)
    }

    @Test("each style in its own size, with the colour of the pass", arguments: PassStyle.allCases)
    func color(style: PassStyle) throws {
        let pixels = try TestFace(Self.json(style.rawValue, Self.fields)).pixels()
        #expect(pixels.width == 375)
        #expect(pixels.height == 440)
        #expect(pixels.count(of: [20, 60, 110, 255]) > 120_000)
        // Labels and values have separate colours.
        #expect(pixels.count(of: [255, 220, 0, 255]) > 20)
        #expect(pixels.count(of: [255, 255, 255, 255]) > 20)
    }

    @Test("the text can be read", arguments: PassStyle.allCases)
    func text(style: PassStyle) throws {
        let text = try TestFace(Self.json(style.rawValue, Self.fields)).text()
        for part in ["Carrier", "Gate", "23", "From", "LIS", "Passenger", "Ada Lovelace", "12A"] {
            #expect(text.contains(part))
        }
        #expect(text.contains("OPO") == (style == .boardingPass))
    }

    @Test(
        "in the format of the reader's language",
        arguments: [("en", "€1,234.50", "May 1, 2026"), ("de", "1.234,50 €", "1. Mai 2026")])
    func languages(language: String, price: String, day: String) throws {
        var test = TestFace(
            Self.json(
                "generic",
                """
                "secondaryFields": [{"key": "p", "label": "P", "value": 1234.5, "currencyCode": "EUR"},
                    {"key": "d", "label": "D", "value": "2026-05-01T10:00Z",
                     "dateStyle": "PKDateStyleLong"}]
                """))
        test.options = TestFace.options(language)
        let text = try test.text().replacing("\u{A0}", with: " ")
        #expect(text.contains(price))
        #expect(text.contains(day))
    }

    @Test("from right to left for languages written that way")
    func rightToLeft() throws {
        let json = Self.json(
            "boardingPass", #""primaryFields": [{"key": "f", "label": "", "value": "MMMM"}]"#)
        func weight(_ language: String) throws -> (left: Int, right: Int) {
            var test = TestFace(json)
            test.options = TestFace.options(language)
            let pixels = try test.pixels()
            // The pixels of the value, not of the label above it.
            func bright(_ columns: Range<Int>) -> Int {
                (80..<130).reduce(0) { sum, y in sum + columns.count { pixels[$0, y][0] > 200 } }
            }
            return (bright(0..<150), bright(225..<375))
        }
        let english = try weight("en")
        let arabic = try weight("ar")
        #expect(english.left > 2 * english.right)
        #expect(arabic.right > 2 * arabic.left)
    }

    @Test("it is readable if the pass specifies no colours")
    func noColors() throws {
        let pixels = try TestFace(
            #""generic": {"primaryFields": [{"key": "m", "label": "L", "value": "MMMM"}]}"#
        ).pixels()
        #expect(pixels.count(of: [0, 0, 0, 255]) > 20)
    }

    @Test("the card is dark if its logo is made for a dark card and the pass specifies no colour")
    func lightLogo() throws {
        let json = #""generic": {"primaryFields": []}"#
        let white = ("logo.png", "filled(100, 40, 255, 255, 255, 255)")
        let blue = ("logo.png", "filled(100, 40, 0, 0, 255, 255)")
        #expect(try TestFace(json, images: [white]).pixels()[200, 300][0] < 100)
        #expect(try TestFace(json, images: [blue]).pixels()[200, 300][0] > 200)
    }

    @Test(
        "an invalid pass is marked",
        arguments: [
            (#", "voided": true"#, "No longer valid"),
            (#", "expirationDate": "2026-04-30T00:00Z""#, "Expired"),
            (#", "expirationDate": "2026-05-02T00:00Z""#, ""),
        ])
    func mark(rest: String, words: String) throws {
        let test = TestFace(Self.json("generic", Self.fields, rest: rest))
        let text = try test.text()
        #expect(text.contains("No longer valid") == (words == "No longer valid"))
        #expect(text.contains("Expired") == (words == "Expired"))
        #expect(try test.face().spokenText.contains(words) || words.isEmpty)
    }

    @Test(
        "text that is hardly visible becomes black or white, and other text is unchanged",
        arguments: [
            ("255,255,255", "255,255,255", [0, 0, 0, 255]),
            ("10,10,10", "20,20,20", [255, 255, 255, 255]),
            ("40,90,170", "255,240,220", [255, 240, 220, 255]),
            // Enough for large type only.
            ("60,120,200", "255,240,220", [0, 0, 0, 255]),
        ] as [(String, String, [UInt8])])
    func contrast(background: String, text: String, shown: [UInt8]) throws {
        let fields = #"{"key": "m", "label": "MMMM", "value": "MMMM"}"#
        let pixels = try TestFace(
            """
            "backgroundColor": "rgb(\(background))", "foregroundColor": "rgb(\(text))",
            "labelColor": "rgb(\(text))", "logoText": "Name",
            "generic": {"primaryFields": [\(fields)]}
            """
        ).pixels(scale: 2)
        #expect(pixels.count(of: shown) > 200)
    }

    @Test(
        "text on a strip gets a visible colour if the pass specifies none for it",
        arguments: [
            ("10,10,60", "242,242,245", [255, 255, 255, 255]),
            ("230,230,200", "20,20,20", [0, 0, 0, 255]),
        ] as [(String, String, [UInt8])])
    func onStrip(strip: String, background: String, shown: [UInt8]) throws {
        let json = """
            "backgroundColor": "rgb(\(background))", "storeCard": {"primaryFields":
                [{"key": "m", "label": "", "value": "MMMM"}]}
            """
        let test = TestFace(json, images: [("strip.png", "filled(375, 123, \(strip), 255)")])
        #expect(try test.pixels(scale: 2).count(of: shown) > 200)
    }

    @Test("a screen reader reads the same text from top to bottom")
    func spoken() throws {
        let barcode = """
            , "barcodes": [{"format": "PKBarcodeFormatQR", "message": "x",
            "messageEncoding": "utf-8", "altText": "ABC 123"}]
            """
        let face = try TestFace(Self.json("boardingPass", Self.fields, rest: barcode)).face()
        #expect(
            face.spokenText == """
                Carrier
                A sample
                Gate: 23
                From: LIS
                To: OPO
                Passenger: Ada Lovelace
                Seat: 12A
                Barcode: ABC 123
                """)
    }
}
