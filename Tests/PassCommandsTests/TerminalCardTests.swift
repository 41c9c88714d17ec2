import Foundation
import PassModel
import PassPresentation
import Testing

@testable import PassCommands

@Suite("A card has straight edges, a bounded height and readable text, whatever the pass contains")
struct TerminalCardTests {
    private static let depths: [ColourDepth] = [.none, .eight, .indexed, .direct]
    private static let texts = [
        "word ", "x", "東京", "\u{301}", "\n", "\u{202E}\u{1B}[31m", "🚆", "→", "Straße\u{200D}",
    ]

    @Test("each line is as wide as the card", arguments: depths, [30, 47, 80, 200])
    func width(depth: ColourDepth, width: Int) throws {
        for unit in Self.texts {
            let text = String(repeating: unit, count: 300)
            let pass = try pass(text, value: text, fields: 5)
            let card = card(pass, Terminal(isTerminal: true, colours: depth, width: width))
            let widths = Set(card.lines.map { columns(plain($0)) })
            #expect(widths == [min(width, 60)], "\(unit)")
            #expect(card.lines.count < 200)
            #expect(card.lines.allSatisfy { !$0.contains("\u{202E}") && !$0.contains("\n") })
        }
    }

    @Test("a megabyte of text or a thousand fields still fit into a card")
    func large() throws {
        let text = String(repeating: "a b", count: 400_000)
        let terminal = Terminal(isTerminal: true, colours: .direct, width: 80)
        let megabyte = card(try pass(text, value: text, fields: 1), terminal)
        #expect(megabyte.lines.count < 60)
        #expect(!megabyte.leftOut.isEmpty)
        let many = card(try pass("Name", value: "value", fields: 1000), terminal)
        #expect(many.lines.count < 100)
        #expect(many.leftOut.count >= 400)
    }

    @Test("what does not fit is listed once, to be printed below")
    func leftOut() throws {
        let terminal = Terminal(isTerminal: true, colours: .none, width: 60)
        let long = String(repeating: "long ", count: 100)
        #expect(card(try pass("Name", value: "short", fields: 1), terminal).leftOut.isEmpty)
        let keys = card(try pass("Name", value: long, fields: 1), terminal).leftOut.map(\.key)
        #expect(
            keys == ["headerFields0", "primaryFields0", "secondaryFields0", "auxiliaryFields0"])
    }

    @Test("a label that does not fit is marked as cut, in the card and below it")
    func longLabel() throws {
        let terminal = Terminal(isTerminal: true, colours: .none, width: 40)
        let label = "A label that does not fit into the card of forty columns"
        let long = String(repeating: "long ", count: 100)
        let pass = try pass(label, value: long, fields: 1)
        #expect(card(pass, terminal).lines.contains("│ A label that does not fit into th... │"))
        let below = PassCard(pass: pass, displayLocale: displayLocale, terminal: terminal).lines
        let cut = "  A label that does not f\(terminal.ellipsis)"
        #expect(below.contains { $0.hasPrefix(cut) }, "\(below.joined(separator: "\n"))")
    }

    @Test(
        "the name is the text beside the logo, or the issuer's name", arguments: ["", " ", "Shop"])
    func name(logoText: String) throws {
        let pass = try pass("Issuer", value: "v", fields: 0, keys: ["logoText": logoText])
        let terminal = Terminal(isTerminal: true, colours: .none, width: 60)
        let name = logoText == "Shop" ? "Shop" : "Issuer"
        #expect(card(pass, terminal).lines[1].hasPrefix("│ \(name) "))
    }

    @Test(
        "text is black or white if its own colour is too close to the background",
        arguments: [
            ("rgb(20, 20, 20)", "rgb(30, 30, 30)", "255;255;255"),
            ("rgb(250, 250, 240)", "rgb(255, 255, 255)", "0;0;0"),
            ("rgb(0, 60, 130)", "rgb(255, 240, 200)", "255;240;200"),
        ])
    func contrast(background: String, foreground: String, shown: String) throws {
        let pass = try pass(
            "Name", value: "v", fields: 1,
            keys: ["backgroundColor": background, "foregroundColor": foreground])
        let terminal = Terminal(isTerminal: true, colours: .direct, width: 60)
        let text = card(pass, terminal).lines.joined()
        #expect(text.contains("[1;38;2;\(shown);48;2;"))
    }

    @Test(
        "rows are in the order of the drawn card",
        arguments: [
            ("boardingPass", "paxsf"), ("eventTicket", "psaxf"), ("storeCard", "psaxf"),
            ("coupon", "psaxf"), ("generic", "psaxf"),
        ])
    func order(style: String, expected: String) throws {
        let groups = ["primary": "p", "secondary": "s", "auxiliary": "a", "footer": "f"]
        var fields = Dictionary(
            uniqueKeysWithValues: groups.map { group, value in
                ("\(group)Fields", [["key": group, "value": value] as [String: Any]])
            })
        // A second row of an event ticket; other styles ignore the number.
        fields["auxiliaryFields"]?.append(["key": "x", "value": "x", "row": 1])
        var keys: [String: Any] = ["generic": NSNull()]
        keys[style] = fields
        let pass = try pass("Name", value: "", fields: 0, keys: keys)
        let lines = card(pass, Terminal(isTerminal: true, colours: .none, width: 60)).lines
        let text = lines.dropFirst(2).prefix { !$0.contains("▀") && !$0.contains("▄") }.joined()
        #expect(text.filter { "psaxf".contains($0) } == expected)
    }

    @Test(
        "a field is aligned as the pass specifies",
        arguments: [
            (["L", "C", "R"], "│ a                        b                        c │"),
            (["R"], "│                                                   a │"),
            (["C"], "│                          a                          │"),
            (["N", "L"], "│ a   b                                               │"),
        ])
    func alignment(sides: [String], line: String) throws {
        let names = ["L": "Left", "C": "Center", "R": "Right", "N": "Natural"]
        let fields = zip(["a", "b", "c"], sides).map { value, side in
            ["key": value, "value": value, "textAlignment": "PKTextAlignment\(names[side] ?? "")"]
        }
        let pass = try pass(
            "Name", value: "", fields: 0, keys: ["generic": ["secondaryFields": fields]])
        let lines = card(pass, Terminal(isTerminal: true, colours: .none, width: 55)).lines
        #expect(lines.contains(line), "\(lines.joined(separator: "\n"))")
    }

    @Test("the barcode is the first one that can be drawn, with its own text")
    func barcode() throws {
        let barcodes = [
            ["format": "PKBarcodeFormatEAN13", "message": "12345", "altText": "first"],
            ["format": "PKBarcodeFormatQR", "message": "HELLO", "altText": "second"],
        ]
        let pass = try pass("Name", value: "v", fields: 1, keys: ["barcodes": barcodes])
        let lines = card(pass, Terminal(isTerminal: true, colours: .none, width: 60)).lines
        #expect(lines.contains { $0.contains("▀") })
        #expect(lines.contains { $0.contains("second") })
        #expect(!lines.contains { $0.contains("first") || $0.contains("EAN-13") })
    }

    private func card(_ pass: Pass, _ terminal: Terminal) -> TerminalCard {
        TerminalCard(pass.localized(for: ["en"]), for: displayLocale, on: terminal)
    }

    private var displayLocale: DisplayLocale {
        DisplayLocale(
            languages: ["en"], locale: Locale(identifier: "en_US"), timeZone: .gmt, now: .now)
    }

    private func pass(
        _ name: String, value: String, fields: Int, keys: [String: Any] = [:]
    ) throws -> Pass {
        let groups = ["headerFields", "primaryFields", "secondaryFields", "auxiliaryFields"]
        let style = Dictionary(
            uniqueKeysWithValues: groups.map { group in
                (
                    group,
                    (0..<fields).map { ["key": "\(group)\($0)", "label": name, "value": value] }
                )
            })
        let json = try JSONSerialization.data(
            withJSONObject: [
                "formatVersion": 1, "passTypeIdentifier": "pass.example.card", "serialNumber": "1",
                "organizationName": name, "generic": style,
                "barcodes": [
                    ["format": "PKBarcodeFormatQR", "message": "1", "altText": name]
                ],
            ].merging(keys) { $1 })
        return try Pass(json: [UInt8](json), limits: limits)
    }

    private var limits: PassLimits {
        var limits = PassLimits()
        limits.jsonBytes = 16 << 20
        return limits
    }

    private func plain(_ line: String) -> String {
        // A combining mark would combine with the letter before it.
        line.replacing(/\u{1B}\[[0-9;]*m/.matchingSemantics(.unicodeScalar), with: "")
    }
}
