import Foundation
import PassModel
import Testing

@Suite("Changes in a pass are reported by field, in the issuer's words")
struct PassChangeTests {
    @Test("A changed field is reported with its message")
    func told() throws {
        let changes = try changes(
            from:
                #"{"key": "gate", "label": "Gate", "value": "4"}, {"key": "seat", "value": "1A"}"#,
            to: """
                {"key": "gate", "label": "Gate", "value": "7", "changeMessage": "Gate changed to %@"},
                {"key": "seat", "value": "1A", "changeMessage": "Seat changed to %@"}
                """)
        #expect(changes.map(\.key) == ["gate"])
        let change = try #require(changes.first)
        #expect(change.label == "Gate" && change.changeMessage == "Gate changed to %@")
        #expect(change.old?.value == .text("4") && change.new?.value == .text("7"))
        #expect(message(change) == "Gate changed to 7")
    }

    @Test(
        "The value replaces every placeholder in the message",
        arguments: [
            ("Gate changed to %@", "Gate changed to 7"),
            ("%@", "7"), ("%@%@", "77"), ("From now on %@: gate %@.", "From now on 7: gate 7."),
            ("%@% @ %%@ 100%", "7% @ %7 100%"),
            // Messages without a placeholder: issuers have sent links, and names of missing
            // translations.
            ("gateChangeMessage", "Gate: 7"), ("https://air.example/", "Gate: 7"), ("%", "Gate: 7"),
            ("", nil), (nil, nil),
        ])
    func places(changeMessage: String?, told: String?) throws {
        let more = changeMessage.map { #", "changeMessage": "\#($0)""# } ?? ""
        let changes = try changes(
            from: #"{"key": "gate", "label": "Gate", "value": "4"}"#,
            to: #"{"key": "gate", "label": "Gate", "value": "7"\#(more)}"#)
        #expect(changes.map(message) == [told])
    }

    @Test("A new field is reported, a removed or emptied one is not")
    func comingAndGoing() throws {
        let gate = #"{"key": "gate", "value": "7", "changeMessage": "Gate changed to %@"}"#
        let none = #"{"key": "gate", "value": "", "changeMessage": "Gate changed to %@"}"#
        for (old, new, told) in [
            ("", gate, "Gate changed to 7"), (gate, "", nil), (gate, none, nil),
            (none, gate, "Gate changed to 7"),
        ] as [(String, String, String?)] {
            let changes = try changes(from: old, to: new)
            #expect(changes.map(\.key) == ["gate"])
            #expect(changes.map(message) == [told])
            #expect(changes.first?.old == nil || !old.isEmpty)
            #expect(changes.first?.new == nil || !new.isEmpty)
        }
    }

    @Test(
        "A new value is a change; a new label, style or position is not",
        arguments: [
            (#""label": "a""#, #""label": "b""#, true), (#""value": 5"#, #""value": "5""#, true),
            (#""value": 5"#, #""value": 5.0"#, true), (#""value": "5.0""#, #""value": 5"#, true),
            (#""value": "05""#, #""value": "5""#, false), (#""value": 5"#, #""value": 6"#, false),
            (#""value": true"#, #""value": "true""#, true),
            (#""value": "nan""#, #""value": 1"#, false),
            (
                #""value": 5, "currencyCode": "EUR""#, #""value": 5, "currencyCode": "USD""#, false
            ),
            (
                #""value": 5.5, "currencyCode": "EUR""#, #""value": 5.5, "currencyCode": "USD""#,
                false
            ),
            (
                #""value": 5.5, "currencyCode": "EUR""#, #""value": "5.50", "currencyCode": "EUR""#,
                true
            ),
            (#""value": 9007199254740993"#, #""value": 9007199254740992"#, false),
            (
                #""value": "2024-05-01T10:00Z", "timeStyle": "PKDateStyleShort""#,
                #""value": "2024-05-01T12:00:00+02:00", "timeStyle": "PKDateStyleShort""#, true
            ),
            (
                #""value": "2024-05-01T10:00Z", "timeStyle": "PKDateStyleShort""#,
                #""value": "2024-05-01T10:05Z", "timeStyle": "PKDateStyleShort""#, false
            ),
            (
                #""value": "2024-05-01T10:00Z", "timeStyle": "PKDateStyleShort""#,
                #""value": "2024-05-01T10:00", "timeStyle": "PKDateStyleShort""#, false
            ),
            (
                #""value": "2024-05-01T10:00Z", "dateStyle": "PKDateStyleShort", "ignoresTimeZone": true"#,
                #""value": "2024-05-01T12:00+02:00", "dateStyle": "PKDateStyleShort", "ignoresTimeZone": true"#,
                false
            ),
            (
                #""value": "2024-05-01""#,
                #""value": "2024-05-01", "dateStyle": "PKDateStyleFull""#, true
            ),
            (
                #""value": "a", "attributedValue": "<b>x</b>""#,
                #""value": "b", "attributedValue": "x""#, true
            ),
            (
                #""value": "a", "attributedValue": "x""#, #""value": "a", "attributedValue": "y""#,
                false
            ),
            (#""value": "a""#, #""value": "b", "attributedValue": "a""#, true),
        ])
    func sameness(old: String, new: String, isSame: Bool) throws {
        let before = #"{"key": "k", \#(old)}"#
        let after = #"{"key": "k", \#(new)}"#
        #expect(try changes(from: before, to: after).isEmpty == isSame)
        #expect(try changes(from: after, to: before).isEmpty == isSame)
        let moved = try pass(back: after).changes(
            since: pass(before), preferredLanguages: ["en"])
        #expect(moved.isEmpty == isSame)
    }

    @Test("Fields with the same key, or none, are matched by order or label")
    func duplicates() throws {
        let twice = try changes(
            from: #"{"key": "k", "value": "a"}, {"key": "k", "value": "b"}"#,
            to:
                #"{"key": "k", "value": "a"}, {"key": "k", "value": "c"}, {"key": "k", "value": "d"}"#
        )
        #expect(twice.map { $0.old?.value } == [.text("b"), nil])
        #expect(twice.map { $0.new?.value } == [.text("c"), .text("d")])
        let nameless = try changes(
            from: #"{"label": "A", "value": "a"}, {"label": "B", "value": "b"}"#,
            to: #"{"label": "B", "value": "b"}, {"label": "A", "value": "z"}"#)
        #expect(nameless.map(\.label) == ["A"])
        #expect(nameless.map(\.key) == [""])
    }

    @Test("Changes are listed front to back, removed fields last")
    func order() throws {
        let old = try pass(#"{"key": "a", "value": 1}, {"key": "b", "value": 1}"#)
        let new = try pass(
            #"{"key": "c", "value": 2}, {"key": "b", "value": 2}"#,
            back: #"{"key": "d", "value": 2}"#)
        let changes = new.changes(since: old, preferredLanguages: [])
        #expect(changes.map(\.key) == ["c", "b", "d", "a"])
    }

    private let english =
        #""gate_changed" = "Your gate is now %@"; "status" = "delayed"; "Gate" = "Gate";"#
    private let german =
        #""gate_changed" = "Flugsteig jetzt %@"; "status" = "verspätet"; "Gate" = "Flugsteig";"#

    @Test(
        "In the user's language and number format",
        arguments: [
            (["en"], "en_US", ["Your gate is now 7", "Now $1,234.50"]),
            (["de-AT"], "de_DE", ["Flugsteig jetzt 7", "Now 1.234,50 $"]),
        ])
    func language(languages: [String], locale: String, told: [String]) throws {
        let strings = ["en": english, "de": german]
        let old = try pass(
            #"{"key": "gate", "value": "4"}, {"key": "due", "value": 1}"#, strings: strings)
        let new = try pass(
            """
            {"key": "gate", "value": "7", "changeMessage": "gate_changed"},
            {"key": "due", "value": 1234.5, "currencyCode": "USD", "changeMessage": "Now %@"}
            """, strings: strings)
        let changes = new.changes(since: old, preferredLanguages: languages)
        #expect(changes.map { message($0, Locale(identifier: locale)) } == told)
    }

    @Test("A date is formatted in the field's styles")
    func date() throws {
        let field = { (time: String) in
            #"{"key": "k", "value": "2024-05-01T\#(time)Z", "timeStyle": "PKDateStyleShort","#
                + #" "changeMessage": "Boarding at %@"}"#
        }
        let changes = try changes(from: field("10:00"), to: field("14:25"))
        #expect(changes.map(message) == ["Boarding at 2:25 PM"])
    }

    @Test("A changed translation is a change, an added language is not")
    func translations() throws {
        let field = #"{"key": "k", "label": "Gate", "value": "status"}"#
        let english = try pass(field, strings: ["en": english])
        let both = try pass(field, strings: ["en": self.english, "de": german])
        let onTime = try pass(field, strings: ["en": #""status" = "on time";"#])
        let plain = try pass(field)
        func count(_ new: Pass, _ old: Pass, _ language: String) -> Int {
            new.changes(since: old, preferredLanguages: [language]).count
        }
        #expect(count(both, english, "de") == 0 && count(english, plain, "en") == 0)
        #expect(count(onTime, english, "en") == 1)
    }

    @Test("Hostile text takes no more time than a message of the maximum length")
    func limits() throws {
        let many = String(repeating: "%@", count: 100_000)
        let long = String(repeating: "e\u{301}", count: 100_000)
        let limit = PassChange.longestMessage
        for (message, value) in [(many, long), ("%@", long), (many, "x"), (long, "x")] {
            let changes = try changes(
                from: "", to: #"{"key": "k", "value": "\#(value)", "changeMessage": "\#(message)"}"#
            )
            let told = try #require(changes.first.flatMap(self.message))
            if message == long {
                #expect(told == "x")
            } else {
                #expect(told.unicodeScalars.count == limit + 1 && told.hasSuffix("\u{2026}"))
            }
        }
        let exact = String(repeating: "x", count: limit)
        #expect(
            try changes(from: "", to: #"{"key": "k", "value": "\#(exact)", "changeMessage": "%@"}"#)
                .map(self.message) == [exact])
    }

    private func pass(
        _ fields: String = "", back: String = "", strings: [String: String] = [:]
    ) throws -> Pass {
        let json = """
            {"passTypeIdentifier": "p", "serialNumber": "1", "generic": {
            "headerFields": [\(fields)], "backFields": [\(back)]}}
            """
        return try Pass(json: Array(json.utf8), strings: strings.mapValues { Array($0.utf8) })
    }

    private func changes(from old: String, to new: String) throws -> [PassChange] {
        try pass(new).changes(since: pass(old), preferredLanguages: ["en"])
    }

    private func message(_ change: PassChange) -> String? {
        message(change, Locale(identifier: "en_US"))
    }

    private func message(_ change: PassChange, _ locale: Locale) -> String? {
        let message = change.message(locale: locale, timeZone: .gmt, now: .distantPast)
        // Unicode's locale data uses various spaces between a number and its unit.
        return message.map { String($0.map { $0.isWhitespace ? " " : $0 }) }
    }
}
