import Foundation
import Testing

@Suite("The list, the card and the records of a pass say the same time")
final class OneTimeTests {
    private let home: Home

    /// The pass is relevant at 2024-06-01 13:25 UTC. `local` shows this date in the reader's time
    /// zone, `own` in that of the pass.
    init() throws {
        home = try Home()
        try home.write(
            Data(
                """
                {"formatVersion": 1, "passTypeIdentifier": "pass.example.time", "serialNumber": "1",
                 "teamIdentifier": "T", "organizationName": "Example", "description": "Train",
                 "relevantDate": "2024-06-01T14:25+01:00",
                 "generic": {"primaryFields": [
                    {"key": "local", "label": "local", "value": "2024-06-01T14:25+01:00",
                     "dateStyle": "PKDateStyleShort", "timeStyle": "PKDateStyleShort"},
                    {"key": "own", "label": "own", "value": "2024-06-01T14:25+01:00",
                     "timeStyle": "PKDateStyleShort", "ignoresTimeZone": true}]}}
                """.utf8), to: "pass/pass.json")
        let made = try Program(home: home).shell(
            "cd '\(home.path("pass"))' && python3 -m zipfile -c pass.pkpass pass.json")
        try #require(made.status == 0, "\(made.errors)")
        let result = try Program(home: home).run([
            "import", "--accept", "unsigned", home.path("pass/pass.pkpass"),
        ])
        try #require(result.status == 0, "\(result.output)\(result.errors)")
    }

    deinit { home.remove() }

    @Test(
        "for every reader",
        arguments: [
            ("UTC", "en_US", "6/1/24, 1:25 PM", "2:25 PM GMT+1"),
            ("Europe/Lisbon", "pt_PT", "01/06/24, 14:25", "14:25"),
            ("America/New_York", "ru_RU", "01.06.2024, 09:25", "14:25 GMT+1"),
            ("Asia/Seoul", "ko_KR", "2024. 6. 1. 오후 10:25", "오후 2:25 GMT+1"),
        ])
    func faces(zone: String, locale: String, local: String, own: String) throws {
        let program = Program(home: home, environment: ["TZ": zone, "LC_TIME": locale])
        #expect(try program.run(["list"]).output.contains("  \(local)  "))
        let shown = try program.run(["show", "1"]).lines
        #expect(
            shown.contains("  local  \(local)") && shown.contains("  own    \(own)"), "\(shown)")
        let card = try program.run(["show", "1", "--card"]).output
        #expect(card.contains(local) && card.contains(own), "\(card)")
        let record = try program.run(["list", "--json"]).records.first
        #expect(record?["relevantDate"] as? String == "2024-06-01T13:25:00Z")
    }

    @Test(
        "in every form of TZ",
        arguments: [
            "Asia/Seoul", ":Asia/Seoul", ":/usr/share/zoneinfo/Asia/Seoul", "posix/Asia/Seoul",
            "/usr/share/zoneinfo/America/New_York", "KST-9", "GMT+3", "<+0530>-5:30", "EST5EDT",
            "EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "Nowhere/Land", "",
        ])
    func forms(zone: String) throws {
        let program = Program(home: home, environment: ["TZ": zone])
        let date = try program.shell("date --date=@1717248300 '+%Y-%m-%d %H:%M'").output
        let listed = try program.run(["list"]).output
        #expect(
            listed.contains("  \(date.trimmingCharacters(in: .newlines))  "), "\(listed)\(date)")
    }

    @Test("in the time zone of a file outside the database")
    func file() throws {
        let copied = try Program(home: home).shell(
            "cp /usr/share/zoneinfo/Europe/Berlin '\(home.path("zone"))'")
        try #require(copied.status == 0, "\(copied.errors)")
        let program = Program(home: home, environment: ["TZ": ":\(home.path("zone"))"])
        #expect(try program.run(["list"]).output.contains("  2024-06-01 15:25  "))
    }

    @Test("a drawn card has the reader's time zone, too")
    func drawn() throws {
        func picture(_ zone: String) throws -> String {
            let program = Program(home: home, environment: ["TZ": zone])
            let result = try program.shell(
                "\"$PROGRAM\" render 1 --force -o face.pdf && pdftotext face.pdf -")
            try #require(result.status == 0, "\(result.errors)")
            return result.output
        }
        #expect(try picture("UTC").contains("1:25 PM"))
        #expect(try picture("KST-9").contains("10:25 PM"))
        #expect(try picture("").contains("1:25 PM"))
    }
}
