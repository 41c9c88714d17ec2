import Foundation
import Testing

@testable import PassPresentation

@Suite("Dates are written as the reader's language does, in the reader's time zone")
struct DisplayLocaleTests {
    /// 2024-06-01 13:25 UTC. The order and the separators are those of CLDR; the times are those of
    /// `TZ=... date --date=@1717248300`.
    private static let moment = Date(timeIntervalSince1970: 1_717_248_300)

    @Test(arguments: [
        ("en_US", "UTC", "6/1/24, 1:25 PM"), ("en_US", "Europe/Lisbon", "6/1/24, 2:25 PM"),
        ("en_US", "Asia/Seoul", "6/1/24, 10:25 PM"), ("pt_PT", "Europe/Lisbon", "01/06/24, 14:25"),
        ("ru_RU", "Pacific/Auckland", "02.06.2024, 01:25"),
        ("ko_KR", "Asia/Seoul", "2024. 6. 1. 오후 10:25"),
    ])
    func short(locale: String, zone: String, text: String) throws {
        #expect(try reader(locale, zone).shortMoment(Self.moment) == text)
    }

    @Test("a date in full names the time zone")
    func full() throws {
        let (lisbon, seoul) = (
            try reader("en_US", "Europe/Lisbon"), try reader("en_US", "Asia/Seoul")
        )
        #expect(lisbon.moment(Self.moment) == "Saturday, June 1, 2024 at 2:25 PM GMT+1")
        #expect(seoul.moment(Self.moment) == "Saturday, June 1, 2024 at 10:25 PM GMT+9")
        #expect(seoul.day(Self.moment + 7200) == "Jun 2, 2024")
    }

    /// Lisbon's clocks went forward at 01:00 UTC on 31 March 2024 (tzdata, rule EU).
    @Test(
        "today and yesterday are those of the reader's calendar",
        arguments: [
            ("2024-03-31T22:00:00Z", "2024-03-30T23:30:00Z", "yesterday 11:30 PM"),
            ("2024-03-31T22:00:00Z", "2024-03-31T00:30:00Z", "today 12:30 AM"),
            ("2024-03-31T22:00:00Z", "2024-03-31T01:00:00Z", "today 2:00 AM"),
            ("2024-03-31T23:30:00Z", "2024-03-31T22:00:00Z", "yesterday 11:00 PM"),
            ("2024-03-31T23:30:00Z", "2024-03-30T22:00:00Z", "3/30/24, 10:00 PM"),
        ])
    func recent(now: String, date: String, text: String) throws {
        let now = try Date(now, strategy: .iso8601)
        let reader = try reader("en_US", "Europe/Lisbon").reading(at: now)
        #expect(try reader.recentMoment(Date(date, strategy: .iso8601)) == text)
    }

    @Test("records have the dates of phrases in UTC")
    func english() {
        let phrase = Phrase(
            "{start} to {end}", ["start": .moment(Self.moment), "end": .day(Self.moment)])
        #expect(phrase.english == "2024-06-01T13:25:00Z to 2024-06-01")
    }

    private func reader(_ locale: String, _ zone: String) throws -> DisplayLocale {
        DisplayLocale(
            languages: ["en"], locale: Locale(identifier: locale),
            timeZone: try #require(TimeZone(identifier: zone)), now: Self.moment)
    }
}
