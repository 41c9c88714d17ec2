import BarcodeReading
import Foundation
import Testing

@Suite(
    "On a terminal show draws a card whose barcode can be scanned from the screen",
    .enabled(if: ZXing.isHere, "no ZXingReader on this computer"))
final class ShowCardTests {
    private let home: Home

    init() throws { home = try Home() }

    deinit { home.remove() }

    struct Code: Sendable, CustomTestStringConvertible {
        let format: String
        let name: String
        let message: String
        var encoding = "iso-8859-1"
        var octets: [UInt8]?

        var testDescription: String { "\(format), \(message)" }
        var expected: [UInt8] { octets ?? Array(message.utf8) }
    }

    enum Kind: String, CaseIterable, Sendable {
        case truecolor = "COLORTERM=truecolor"
        case indexed = "TERM=xterm-256color"
        case eight = "TERM=xterm"
        case none = "NO_COLOR=1"
        case dumb = "TERM=dumb"
    }

    @Test("in every format", arguments: codes)
    func format(code: Code) throws {
        try expect(code, on: ["COLORTERM=truecolor"])
    }

    @Test("on every kind of terminal", arguments: Kind.allCases, [codes[0], codes[1], codes[3]])
    func terminal(kind: Kind, code: Code) throws {
        try expect(code, on: [kind.rawValue])
    }

    @Test("on a light terminal, with colours and without", arguments: [[], ["NO_COLOR=1"]])
    func light(variables: [String]) throws {
        try expect(codes[0], on: ["COLORFGBG=0;15"] + variables, isLight: true)
    }

    @Test("a barcode that does not fit is reported with the width it needs")
    func narrow() throws {
        try importPass(codes[1])
        let output = try show(on: [], columns: 40)
        #expect(output.contains("PDF417: needs a terminal 56 columns"), "\(output)")
        #expect(output.contains(codes[1].message))
        let wide = try show(on: ["COLORTERM=truecolor"], columns: 56)
        #expect(try ZXing.octets(in: Screen(wide).picture, format: "PDF417") == codes[1].expected)
    }

    @Test("a message that its format cannot encode is reported", arguments: ["4006381333932", "x"])
    func refused(message: String) throws {
        try importPass(Code(format: "EAN13", name: "EAN-13", message: message))
        let output = try show(on: ["NO_COLOR=1"], columns: 100)
        let reason =
            message == "x" ? "EAN-13 allows only digits" : "the check digit of the message is wrong"
        #expect(output.contains(reason), "\(output)")
    }

    @Test("the text below the card is the same as in a pipe, and a pipe gets no card")
    func below() throws {
        try importPass(codes[0])
        let card = try show(on: ["NO_COLOR=1"], columns: 100)
        let plain = try Program(home: home).run(["show", "1"]).output
        for line in ["Conditions", "    Bring the dog.", "  Verdict   unsigned", "Boarding pass"] {
            #expect(card.contains(line), "\(card)")
            #expect(plain.contains(line), "\(plain)")
        }
        #expect(card.contains("╭─"))
        #expect(!plain.contains("╭─") && !plain.contains("█") && !plain.contains("\u{1B}"))
    }

    @Test("--card prints only the card, on a terminal and in a pipe")
    func alone() throws {
        try importPass(codes[0])
        let program = Program(home: home)
        let piped = try program.run(["show", "1", "--card"])
        #expect(piped.status == 0)
        #expect(!piped.output.contains("\u{1B}"))
        let picture = Screen(piped.output).picture
        #expect(try ZXing.octets(in: picture, format: codes[0].name) == codes[0].expected)
        #expect(piped.lines.first?.hasPrefix("╭─") == true)
        let below = piped.lines.drop { !$0.hasPrefix("╰─") }.dropFirst()
        // The pass is unsigned.
        #expect(below.first == "  Verdict   unsigned")
        #expect(!piped.output.contains("Bring the dog."))
    }

    private func expect(_ code: Code, on variables: [String], isLight: Bool = false) throws {
        try importPass(code)
        let output = try show(on: variables, columns: 140)
        let picture = Screen(output, isLight: isLight).picture
        #expect(try ZXing.octets(in: picture, format: code.name) == code.expected, "\(output)")
    }

    private func show(on variables: [String], columns: Int) throws -> String {
        let program = Program("/usr/bin/env", home: home)
        let result = try program.onTerminal(
            variables + [Program(home: home).path, "show", "1"], columns: columns)
        #expect(result.status == 0)
        return result.output
    }

    private func importPass(_ code: Code) throws {
        let json = try JSONSerialization.data(withJSONObject: [
            "formatVersion": 1, "passTypeIdentifier": "pass.example.card", "serialNumber": "card",
            "teamIdentifier": "TEAM123456", "organizationName": "Example Air",
            "description": "Flight", "backgroundColor": "rgb(20, 60, 120)",
            "boardingPass": [
                "transitType": "PKTransitTypeAir",
                "primaryFields": [
                    ["key": "from", "value": "LIS"], ["key": "to", "value": "OPO"],
                ],
                "backFields": [
                    ["key": "back", "label": "Conditions", "value": "Bring the dog."]
                ],
            ],
            "barcodes": [
                [
                    "format": "PKBarcodeFormat" + code.format, "message": code.message,
                    "messageEncoding": code.encoding, "altText": "ABC 123",
                ]
            ],
        ])
        try home.write(json, to: "pass/pass.json")
        let made = try Program(home: home).shell(
            "cd '\(home.path("pass"))' && python3 -m zipfile -c card.pkpass pass.json")
        try #require(made.status == 0, "\(made.errors)")
        let result = try Program(home: home).run([
            "import", "--accept", "unsigned", home.path("pass/card.pkpass"),
        ])
        try #require(result.status == 0, "\(result.output)\(result.errors)")
    }
}

private typealias Code = ShowCardTests.Code

private let codes = [
    Code(
        format: "QR", name: "QRCode",
        message: "M1LOVELACE/ADA        EABC123 LISOPOTP 1234 123Y012A0001 100"),
    Code(format: "PDF417", name: "PDF417", message: "FERN-SPRING-7 20 % off, 2024"),
    Code(format: "Aztec", name: "Aztec", message: "M1LOVELACE/ADA EABC123"),
    Code(format: "Code128", name: "Code128", message: "CARD-000451"),
    Code(format: "Code39", name: "Code39", message: "CARD-000451"),
    Code(format: "Codabar", name: "Codabar", message: "31117013206375"),
    Code(format: "EAN13", name: "EAN-13", message: "4006381333931"),
    Code(format: "I2of5", name: "ITF", message: "12345678901234"),
    Code(
        format: "QR", name: "QRCode",
        message: String(String.UnicodeScalarView((0...255).map { Unicode.Scalar(UInt8($0)) })),
        octets: Array(0...255)),
    Code(format: "QR", name: "QRCode", message: "Билет в театр", encoding: "utf-8"),
    Code(
        format: "Aztec", name: "Aztec", message: "日本", encoding: "shift_jis",
        octets: [0x93, 0xFA, 0x96, 0x7B]),
]
