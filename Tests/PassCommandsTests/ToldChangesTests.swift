import Foundation
import PassModel
import PassPresentation
import PassSession
import Testing

@testable import DesktopIntegration
@testable import PassCommands

@Suite("Changes in a pass are reported in a line, in records and in notifications")
struct ToldChangesTests {
    private let gate = #""key": "gate", "label": "Gate", "changeMessage": "Gate changed to %@""#

    private func pass(_ fields: String, organization: String = "Nimbus Air") throws -> Pass {
        let json = """
            {"passTypeIdentifier": "p", "serialNumber": "1", "organizationName": "\(organization)",
            "description": "Flight", "boardingPass": {"headerFields": [\(fields)]}}
            """
        return try Pass(json: Array(json.utf8))
    }

    private func told(from old: String, to new: String, organization: String = "Nimbus Air")
        throws -> ToldChanges
    {
        let displayLocale = DisplayLocale(
            languages: ["en"], locale: Locale(identifier: "en_US"), timeZone: .gmt,
            now: Date(timeIntervalSince1970: 0))
        return ToldChanges(
            from: try pass(old), to: try pass(new, organization: organization), displayLocale)
    }

    @Test("each change is reported by its message, and silent changes are left out")
    func words() throws {
        let told = try told(
            from: #"{\#(gate), "value": "4"}, {"key": "seat", "value": "1A"}"#,
            to: #"{\#(gate), "value": "7"}, {"key": "seat", "value": "2B"}"#)
        #expect(told.line == "Gate changed to 7")
        let golden = [
            #"{"key":"gate","label":"Gate","old":"4","new":"7","message":"Gate changed to 7"}"#,
            #"{"key":"seat","label":"","old":"1A","new":"2B"}"#,
        ]
        #expect(try told.records.map { try jsonLine($0) } == golden)
        #expect(
            told.notice
                == ChangeNotice(
                    title: "Boarding pass changed", body: "Nimbus Air, Flight: Gate changed to 7"))
    }

    @Test("if all changes are silent, nothing is reported")
    func silent() throws {
        let told = try told(
            from: #"{"key": "seat", "value": "1A"}"#, to: #"{"key": "row", "value": "2"}"#)
        #expect(told.line == "" && told.notice == nil)
        let golden = [
            #"{"key":"row","label":"","new":"2"}"#, #"{"key":"seat","label":"","old":"1A"}"#,
        ]
        #expect(try told.records.map { try jsonLine($0) } == golden)
    }

    @Test("records contain dates and numbers in raw form, and messages in the displayed form")
    func written() throws {
        let told = try told(
            from: "",
            to: """
                {"key": "time", "value": "2024-05-01T10:00Z", "timeStyle": "PKDateStyleShort",
                "changeMessage": "Boarding at %@"},
                {"key": "due", "value": 1234.5, "currencyCode": "EUR", "changeMessage": "Due: %@"}
                """)
        let records = try told.records.map { try jsonLine($0) }
            .map { String($0.map { $0.isWhitespace ? " " : $0 }) }
        let golden = [
            #"{"key":"time","label":"","new":"2024-05-01T10:00Z","message":"Boarding at 10:00 AM"}"#,
            #"{"key":"due","label":"","new":"1234.5","message":"Due: €1,234.50"}"#,
        ]
        #expect(records == golden)
    }

    @Test("a line holds a few short messages, without control characters")
    func hostile() throws {
        let long = String(repeating: "x", count: 5000)
        let fields = (1...9).map {
            let value = $0 == 1 ? #"\u001b[31m\n\u202e"# : $0 == 2 ? long : "\($0)"
            return #"{"key": "\#($0)", "value": "\#(value)", "changeMessage": "%@"}"#
        }.joined(separator: ",")
        let told = try told(from: "", to: fields, organization: #"a\nb\u001b"#)
        let cut = String(repeating: "x", count: 80)
        #expect(told.line == #"\u{1B}[31m \u{202E}; \#(cut); 3; and 6 more"#)
        let body = try #require(told.notice?.body.split(separator: "\n"))
        #expect(body.count == 5 && body.last == "and 5 more")
        #expect(body.first?.hasPrefix("a b\u{1B}, Flight: ") == true && body[1].count == 300)
        // The longest atomic write to a pipe.
        let line = try #require(told.notice?.line(upTo: 4096))
        #expect(line.count <= 4096 && line.last == UInt8(ascii: "\n"))
    }
}
