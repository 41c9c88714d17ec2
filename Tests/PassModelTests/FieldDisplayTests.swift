import Foundation
import PassModel
import Testing

@Suite("A field is displayed in its style")
struct FieldDisplayTests {
    @Test(arguments: [
        (#""value": "text""#, "en_US", "text"), (#""value": 42"#, "en_US", "42"),
        (#""value": 9.5"#, "en_US", "9.5"),
        (#""value": 9.5, "currencyCode": "EUR""#, "en_US", "€9.50"),
        (#""value": "9.5", "currencyCode": "USD""#, "en_US", "$9.50"),
        (#""value": 9.5, "currencyCode": "EUR""#, "de_DE", "9,50 €"),
        (#""value": 9.5, "currencyCode": "nonsense""#, "en_US", "9.5"),
        (#""value": 0.25, "numberStyle": "PKNumberStylePercent""#, "en_US", "25%"),
        (#""value": 200, "numberStyle": "PKNumberStyleSpellOut""#, "en_US", "two hundred"),
        (#""value": 1234.5, "numberStyle": "PKNumberStyleDecimal""#, "de_DE", "1.234,5"),
        (#""value": 12345, "numberStyle": "PKNumberStyleScientific""#, "en_US", "1.2345E4"),
        (#""value": "soon", "dateStyle": "PKDateStyleShort""#, "en_US", "soon"),
    ])
    func value(field: String, locale: String, shown: String) throws {
        #expect(try display(field, locale) == shown)
    }

    /// 2012-07-22T14:25-08:00 is 2012-07-23 00:25 in Berlin, in summer time.
    @Test(arguments: [
        (#""dateStyle": "PKDateStyleShort""#, "7/23/12"),
        (#""timeStyle": "PKDateStyleShort""#, "12:25 AM"),
        (#""dateStyle": "PKDateStyleMedium", "timeStyle": "PKDateStyleNone""#, "Jul 23, 2012"),
        (#""dateStyle": "PKDateStyleLong""#, "July 23, 2012"),
        (#""dateStyle": "PKDateStyleFull", "ignoresTimeZone": true"#, "Sunday, July 22, 2012"),
        (#""timeStyle": "PKDateStyleShort", "ignoresTimeZone": true"#, "2:25 PM GMT-8"),
        (
            #""dateStyle": "PKDateStyleShort", "timeStyle": "PKDateStyleMedium", "ignoresTimeZone": true"#,
            "7/22/12, 2:25:00 PM GMT-8"
        ),
        (#""timeStyle": "PKDateStyleLong", "ignoresTimeZone": true"#, "2:25:00 PM GMT-8"),
        (#""dateStyle": "PKDateStyleShort", "isRelative": true"#, "tomorrow"),
        (
            #""dateStyle": "PKDateStyleShort", "timeStyle": "PKDateStyleShort", "isRelative": true"#,
            "in 2 hours"
        ),
    ])
    func date(styles: String, shown: String) throws {
        #expect(try display(#""value": "2012-07-22T14:25-08:00", \#(styles)"#, "en_US") == shown)
    }

    @Test("A date without a time zone is displayed unchanged", arguments: [true, false])
    func dateWithoutZone(ignoresTimeZone: Bool) throws {
        let field =
            #""value": "2012-07-22T23:25", "dateStyle": "PKDateStyleShort", "timeStyle": "PKDateStyleShort", "ignoresTimeZone": \#(ignoresTimeZone)"#
        #expect(try display(field, "en_US") == "7/22/12, 11:25 PM")
    }

    /// In 2012, Berlin's clocks went forward at 01:00 UTC on 25 March and back at 01:00 UTC on 28
    /// October (tzdata, rule EU).
    @Test(
        "A time in another zone than the reader's is followed by the name of the zone",
        arguments: [
            ("2012-03-25T01:59+01:00", "1:59 AM"), ("2012-03-25T02:00+01:00", "2:00 AM GMT+1"),
            ("2012-03-25T03:00+02:00", "3:00 AM"), ("2012-10-28T02:59+02:00", "2:59 AM"),
            ("2012-10-28T02:00+01:00", "2:00 AM"), ("2012-10-28T03:00+02:00", "3:00 AM GMT+2"),
            ("2012-07-22T12:00Z", "12:00 PM GMT"), ("2012-07-22T12:00+05:30", "12:00 PM GMT+5:30"),
        ])
    func zoneName(date: String, shown: String) throws {
        let styles = #""timeStyle": "PKDateStyleShort", "ignoresTimeZone": true"#
        #expect(try display(#""value": "\#(date)", \#(styles)"#, "en_US") == shown)
    }

    @Test(
        "A date in the reader's zone follows the reader's clocks",
        arguments: [
            ("2012-03-25T00:59Z", "1:59 AM"), ("2012-03-25T01:00Z", "3:00 AM"),
            ("2012-10-28T00:59Z", "2:59 AM"), ("2012-10-28T01:00Z", "2:00 AM"),
        ])
    func clockChanges(date: String, shown: String) throws {
        let styles = #""timeStyle": "PKDateStyleShort""#
        #expect(try display(#""value": "\#(date)", \#(styles)"#, "en_US") == shown)
    }

    @Test("Directional marks, which terminals show as codes, are left out of dates")
    func directionalMarks() throws {
        let field =
            #""value": "2012-07-22T10:25Z", "dateStyle": "PKDateStyleShort", "timeStyle": "PKDateStyleShort""#
        for locale in ["ar_EG", "he_IL", "fa_IR", "ur_PK"] {
            let shown = try display(field, locale)
            #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .format })
        }
    }

    @Test(
        "Extreme values can be displayed",
        arguments: [
            #""value": "0000-01-01T00:00Z""#, #""value": "9999-12-31T23:59:60Z""#,
            #""value": 1e308"#,
            #""value": -9223372036854775808"#, #""value": 5e-324"#, #""value": "1e308""#,
            #""value": {}"#,
        ])
    func extremes(field: String) throws {
        let styles =
            NumberStyle.allCases.map { #""numberStyle": "\#($0.rawValue)""# }
            + ["XXX", "\u{1F600}", "a\\u0000b", "€"].map { #""currencyCode": "\#($0)""# }
            + DateStyle.allCases.map { #""dateStyle": "\#($0.rawValue)""# }
            + [
                #""dateStyle": "PKDateStyleFull", "isRelative": true"#,
                #""timeStyle": "PKDateStyleFull", "isRelative": true"#,
            ]
        for style in styles {
            for locale in ["en_US", "ar_EG", "nonsense", ""] {
                _ = try display("\(field), \(style)", locale)
            }
        }
    }

    private func display(_ field: String, _ locale: String) throws -> String {
        let json =
            #"{"passTypeIdentifier": "p", "serialNumber": "1", "generic": {"backFields": [{"key": "k", \#(field)}]}}"#
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let now = try #require(PassDate("2012-07-22T22:20+02:00")).date
        let value = try Pass(json: Array(json.utf8)).fields["k"]?
            .formattedValue(locale: Locale(identifier: locale), timeZone: zone, now: now)
        // Unicode's locale data uses various spaces between a number and its unit.
        return String((value ?? "").map { $0.isWhitespace ? " " : $0 })
    }
}
