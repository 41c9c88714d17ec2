import Testing

@testable import PassModel

@Suite("Colours are read as in CSS")
struct PassColorTests {
    @Test(
        arguments: [
            ("rgb(22, 55, 110)", 22, 55, 110), ("rgb(0,0,0)", 0, 0, 0),
            (" RGB( 255 , 255,255 ) ", 255, 255, 255),
            ("rgba(1, 2, 3, 0.5)", 1, 2, 3), ("#16376e", 0x16, 0x37, 0x6E),
            ("16376E", 0x16, 0x37, 0x6E),
            ("#fa0", 0xFF, 0xAA, 0), ("rgb(206.0, 140, 53)", 206, 140, 53),
        ] as [(String, UInt8, UInt8, UInt8)])
    func colour(text: String, red: UInt8, green: UInt8, blue: UInt8) {
        #expect(PassColor(text) == PassColor(red: red, green: green, blue: blue))
    }

    @Test("texts have the contrast that WCAG requires on any card, whatever the pass says")
    func legible() throws {
        let steps: [UInt8] = [0, 51, 102, 119, 153, 204, 255]
        let grounds = steps.flatMap { red in
            steps.flatMap { green in steps.map { PassColor(red: red, green: green, blue: $0) } }
        }
        for keys in [
            "", #""foregroundColor": "rgb(255, 255, 255)""#, #""labelColor": "rgb(119, 119, 119)""#,
            #""foregroundColor": "rgb(119, 0, 0)", "labelColor": "rgb(0, 0, 0)""#,
        ] {
            let head = #"{"passTypeIdentifier": "pass.a", "serialNumber": "1", "generic": {}"#
            let pass = try Pass(json: Array("\(head)\(keys.isEmpty ? "" : ", ")\(keys)}".utf8))
            for ground in grounds {
                let colors = TextColors(of: pass, on: ground)
                #expect(colors.value.contrast(with: ground) >= 4.5, "\(ground) \(keys)")
                #expect(colors.label.contrast(with: ground) >= 4.5, "\(ground) \(keys)")
                if let own = pass.foregroundColor, own.contrast(with: ground) >= 4.5 {
                    #expect(colors.value == own)
                }
            }
        }
    }

    @Test(arguments: [
        "", "red", "rgb(256, 0, 0)", "rgb(-1, 0, 0)", "rgb(1, 2)", "rgb(nan, 0, 0)", "#12345",
        "#gggggg",
        "rgb(1, 2, 3", "rgb 1, 2, 3)", "hsl(1, 2, 3)",
    ])
    func noColour(text: String) {
        #expect(PassColor(text) == nil)
    }
}
