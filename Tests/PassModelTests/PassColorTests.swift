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

    @Test(arguments: [
        "", "red", "rgb(256, 0, 0)", "rgb(-1, 0, 0)", "rgb(1, 2)", "rgb(nan, 0, 0)", "#12345",
        "#gggggg",
        "rgb(1, 2, 3", "rgb 1, 2, 3)", "hsl(1, 2, 3)",
    ])
    func noColour(text: String) {
        #expect(PassColor(text) == nil)
    }
}
