import Foundation
import PassModel
import Testing

@Suite("Passes for iOS 18, 26 and 27 are read")
struct NewerPassTests {
    @Test("The fields of the style posterGeneric are kept")
    func posterGeneric() throws {
        let pass = try read(
            """
            "posterGeneric": {
                "headerFields": [{"key": "h", "value": "1"}],
                "primaryFields": [{"key": "p", "value": "2"}],
                "footerFields": [{"key": "f", "value": "3"}],
                "backFields": [{"key": "b", "value": "4"}]}
            """)
        #expect(pass.style == .posterGeneric && pass.oddities.isEmpty)
        #expect(pass.fields.all.map(\.key) == ["h", "p", "f", "b"])
        #expect(pass.fields.footer.map(\.value) == [.text("3")])
    }

    @Test("A classic style beside posterGeneric is used", arguments: PassStyle.allCases)
    func classicFirst(style: PassStyle) throws {
        let pass = try read(
            """
            "posterGeneric": {"primaryFields": [{"key": "a", "value": "1"}]},
            "\(style.rawValue)": {"primaryFields": [{"key": "b", "value": "2"}],
                "transitType": "PKTransitTypeAir"}
            """)
        #expect(pass.style == style && pass.fields.all.map(\.key) == ["b"])
        #expect(!pass.oddities.contains { $0.code == "more-than-one-style" })
    }

    @Test("Both forms of relevantDates are read")
    func relevantDates() throws {
        let pass = try read(
            """
            "generic": {}, "relevantDates": [
                {"relevantDate": "2026-05-01T10:00Z"}, {"date": "2026-05-02T10:00Z"},
                {"date": "2026-05-03T10:00Z", "relevantDate": "2026-05-04T10:00Z"},
                {"startDate": "2026-05-05T10:00Z", "endDate": "2026-05-05T12:00Z"}]
            """)
        // date --date=2026-05-01T10:00Z +%s
        let first = Date(timeIntervalSince1970: 1_777_629_600)
        let day = 86_400.0
        #expect(
            pass.relevantDates.map { $0.date ?? $0.startDate }
                == [first, first + day, first + 2 * day, first + 4 * day])
        #expect(pass.relevantDate == first && pass.oddities.isEmpty)
    }

    @Test("The later events of a pass for several events are read and translated")
    func upcoming() throws {
        let pass = try read(
            """
            "eventTicket": {}, "upcomingPassInformation": [
                {"type": "event", "identifier": "1", "name": "FINAL", "isActive": true,
                 "dateInformation": {"date": "2026-05-01T20:00+02:00", "timeZone": "Europe/Berlin"},
                 "URLs": {"bagPolicyURL": "https://venue.example/bags",
                          "contactVenuePhoneNumber": "+49 30 1"},
                 "additionalInfoFields": [{"key": "gate", "value": "GATE"}]},
                {"identifier": "2", "name": "Parade",
                 "dateInformation": {"date": "2026-05-02T00:00+02:00", "isAllDay": true},
                 "urls": {"sellURL": "https://venue.example/sell"}},
                {"identifier": "3",
                 "dateInformation": {"date": "2026-05-03T20:00Z", "isUndetermined": true}}]
            """, strings: ["de": #""FINAL" = "Finale"; "GATE" = "Tor";"#])
        #expect(pass.oddities.isEmpty && pass.unknownKeys.isEmpty)
        let entries = pass.localized(for: ["de"]).upcomingEntries
        #expect(entries.map(\.name) == ["Finale", "Parade", ""])
        #expect(entries[0].fields["gate"]?.value == .text("Tor"))
        #expect(entries[0].links[.bagPolicy]?.path() == "/bags")
        #expect(entries[0].contacts[.venuePhoneNumber] == "+49 30 1")
        #expect(entries[1].links[.sell]?.path() == "/sell")
        let english = Locale(identifier: "en_US")
        func dates(_ zone: String) throws -> [String?] {
            let zone = try #require(TimeZone(identifier: zone))
            return entries.map { entry in
                entry.formattedDate(locale: english, timeZone: zone)
            }
        }
        #expect(
            try dates("Europe/Paris")
                == ["Friday, May 1, 2026 at 8:00 PM", "Saturday, May 2, 2026", nil])
        #expect(
            try dates("Asia/Seoul")
                == ["Friday, May 1, 2026 at 8:00 PM GMT+2", "Saturday, May 2, 2026", nil])
        #expect(pass.searchableText.contains("Finale"))
    }

    @Test(
        "Later events of any other form are read without an error",
        arguments: [
            "null", "[]", "{}", "1", #"[1, "x", null]"#, #"[{"dateInformation": 1, "URLs": []}]"#,
            #"[{"dateInformation": {"date": "soon", "timeZone": "Nowhere/Land"}, "backFields": 1}]"#,
        ])
    func malformed(json: String) throws {
        let pass = try read(#""generic": {}, "upcomingPassInformation": \#(json)"#)
        #expect(pass.upcomingEntries.allSatisfy { $0.date == nil && $0.links.isEmpty })
    }

    @Test("More later events than the limit are recorded, and the rest is ignored")
    func tooManyEvents() throws {
        let list = Array(repeating: "{}", count: 51).joined(separator: ",")
        let pass = try read(#""generic": {}, "upcomingPassInformation": [\#(list)]"#)
        #expect(pass.upcomingEntries.count == 50)
        #expect(pass.oddities.map(\.code) == ["too-many-events"])
    }

    private func read(_ members: String, strings: [String: String] = [:]) throws -> Pass {
        let json = """
            {"passTypeIdentifier": "pass.a", "serialNumber": "1", "formatVersion": 1,
            "teamIdentifier": "T", "organizationName": "O", "description": "D", \(members)}
            """
        return try Pass(json: Array(json.utf8), strings: strings.mapValues { Array($0.utf8) })
    }
}
