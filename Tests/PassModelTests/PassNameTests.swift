import Foundation
import Testing

@testable import PassModel

@Suite("A pass is named by its issuer, and by its route, its event or its description")
struct PassNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let style: String
        var primary: [String] = []
        var semantics = "{}"
        let subject: String

        var testDescription: String { "\(style) \(primary) \(semantics)" }
    }

    private static let ends = #"{"departureAirportCode": "LIS", "destinationAirportCode": "OPO"}"#

    @Test(arguments: [
        Row(style: "boardingPass", primary: ["LIS", "OPO"], subject: "LIS -> OPO"),
        Row(style: "boardingPass", primary: ["", "LIS", "OPO"], subject: "LIS -> OPO"),
        Row(style: "boardingPass", primary: ["LIS"], subject: "Flight"),
        Row(style: "boardingPass", primary: ["LIS", " "], subject: "Flight"),
        Row(style: "boardingPass", semantics: ends, subject: "LIS -> OPO"),
        Row(style: "boardingPass", primary: ["A", "B"], semantics: ends, subject: "A -> B"),
        Row(
            style: "boardingPass", semantics: #"{"departureAirportCode": "LIS"}"#, subject: "Flight"
        ),
        Row(style: "boardingPass", primary: ["A\nB\t C", "D"], subject: "A B C -> D"),
        Row(style: "eventTicket", primary: ["The Long Way"], subject: "The Long Way"),
        Row(
            style: "eventTicket", primary: ["Row 7"], semantics: #"{"eventName": "Gala"}"#,
            subject: "Gala"),
        Row(style: "eventTicket", semantics: #"{"eventName": 7}"#, subject: "Flight"),
        Row(style: "storeCard", primary: ["25 points"], subject: "Flight"),
        Row(style: "coupon", primary: ["20 % off"], subject: "Flight"),
        Row(style: "generic", primary: ["Ana"], semantics: ends, subject: "Flight"),
    ])
    func subject(row: Row) throws {
        let fields = row.primary.enumerated().map { ["key": "\($0)", "value": $1] }
        let style = try JSONSerialization.data(withJSONObject: ["primaryFields": fields])
        let pass = try pass(
            #""\#(row.style)": \#(String(decoding: style, as: UTF8.self)), "semantics": \#(row.semantics)"#
        )
        let name = PassName(pass.localized(for: ["en"]))
        #expect(name.issuer == "Air" && name.subject == row.subject)
    }

    private let translated = [
        "de": #""Air" = "Luft"; "Flight" = "Flug";"#, "en": #""Air" = "Sky"; "Flight" = "Flight";"#,
        "fr": #""Other" = "Autre";"#,
    ]

    @Test(
        "in each language, and again from the text in the index",
        arguments: [
            (["de-AT"], "Luft", "Flug"), (["en"], "Sky", "Flight"), (["fr"], "Sky", "Flight"),
        ])
    func languages(preferred: [String], issuer: String, subject: String) throws {
        let names = PassNames(try pass(strings: translated))
        let stored = try #require(PassNames(text: names.text))
        #expect(stored == names)
        for name in [names.name(for: preferred), stored.name(for: preferred)] {
            #expect(name.issuer == issuer && name.subject == subject)
        }
    }

    @Test("names that are alike are stored once, whatever the texts contain")
    func alike() throws {
        let same = PassNames(try pass(strings: ["de": "", "fr": #""x" = "y";"#]))
        #expect(same.text == "\u{1F}Air\u{1F}Flight")
        let hostile = PassNames(
            try pass(#""logoText": """#, name: "A\u{1E}B\u{1F}\u{301}C", strings: translated))
        let issuer = hostile.name(for: []).issuer
        #expect(issuer.unicodeScalars.elementsEqual("A B \u{301}C".unicodeScalars))
        #expect(PassNames(text: hostile.text) == hostile)
        let long = PassNames(try pass(name: String(repeating: "x", count: 10_000)))
        #expect(long.text.unicodeScalars.count < 700)
        for text in ["", "a", "\u{1F}a", "a\u{1F}b\u{1F}c\u{1F}d", "\u{1E}"] {
            #expect(PassNames(text: text) == nil)
        }
    }

    private func pass(
        _ keys: String = #""generic": {}"#, name: String = "Air", strings: [String: String] = [:]
    ) throws -> Pass {
        let name = String(
            decoding: try JSONSerialization.data(withJSONObject: [name]), as: UTF8.self
        ).dropFirst().dropLast()
        let json = """
            {"passTypeIdentifier": "pass.a", "serialNumber": "1", "organizationName": \(name),
            "description": "Flight", \(keys)}
            """
        return try Pass(json: Array(json.utf8), strings: strings.mapValues { Array($0.utf8) })
    }
}
