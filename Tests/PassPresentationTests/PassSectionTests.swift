import Foundation
import PassModel
import PassPresentation
import Testing

@Suite("a pass is listed in the expected section")
struct PassSectionTests {
    /// 2024-05-01 12:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_714_564_800)

    @Test(
        "by its dates",
        arguments: [
            (nil, nil, false, PassSection.other), (0, nil, false, .now),
            (3600 * 11, nil, false, .now), (-3600 * 11, nil, false, .now),
            (3600 * 13, nil, false, .upcoming), (-3600 * 13, nil, false, .past),
            (0, -1, false, .past), (0, 1, false, .now), (3600 * 13, nil, true, .past),
            (nil, 0, false, .past), (nil, nil, true, .past),
        ] as [(TimeInterval?, TimeInterval?, Bool, PassSection)])
    func section(
        relevant: TimeInterval?, expires: TimeInterval?, isVoided: Bool, section: PassSection
    ) {
        let found = PassSection.place(
            style: .generic, relevantDates: relevant.map { [RelevantDate(date: now + $0)] } ?? [],
            expirationDate: expires.map { now + $0 }, isVoided: isVoided, now: now)
        #expect(found.section == section)
    }

    /// Hours from now: single times, and periods.
    struct Row: Sendable {
        var moments: [Double] = []
        var spans: [(Double?, Double?)] = []
        let section: PassSection
        /// The date that it is sorted by.
        var date: Double?
    }

    @Test(
        "by all of its periods",
        arguments: [
            // A festival of three days, on the second day and after its end.
            Row(spans: [(-30, 42)], section: .now, date: -30),
            Row(spans: [(-72, -1)], section: .past),
            Row(spans: [(20, 40)], section: .upcoming, date: 20),
            // A season, with a match yesterday and one next week.
            Row(moments: [-24, 168, 336], section: .upcoming, date: 168),
            Row(moments: [336, 2, -400], section: .now, date: 2),
            // A pass for a year, with an end but no start.
            Row(spans: [(nil, 300)], section: .now, date: 300),
            Row(spans: [(nil, -1)], section: .past),
            Row(spans: [(-5, nil)], section: .now, date: -5),
            // An end before its start is ignored.
            Row(spans: [(5, -5)], section: .now, date: 5),
            Row(spans: [(nil, nil)], section: .other),
        ])
    func spans(row: Row) {
        func date(_ hours: Double?) -> Date? { hours.map { now + $0 * 3600 } }
        let dates =
            row.moments.map { RelevantDate(date: date($0)) }
            + row.spans.map {
                RelevantDate(date: nil, startDate: date($0.0), endDate: date($0.1))
            }
        let found = PassSection.place(
            style: .eventTicket, relevantDates: dates, expirationDate: nil, isVoided: false,
            now: now)
        #expect(found.section == row.section)
        #expect(found.date == date(row.date))
    }

    @Test(
        "until the reported time of the next change",
        arguments: [
            Row(moments: [24, 48], section: .upcoming, date: 12),
            Row(moments: [6], section: .now, date: 18), Row(moments: [-24], section: .past),
            Row(spans: [(-30, 42)], section: .now, date: 42),
        ])
    func change(row: Row) throws {
        func date(_ hours: Double?) -> Date? { hours.map { now + $0 * 3600 } }
        let dates =
            row.moments.map { RelevantDate(date: date($0)) }
            + row.spans.map {
                RelevantDate(date: nil, startDate: date($0.0), endDate: date($0.1))
            }
        func place(at moment: Date) -> PassSection {
            PassSection.place(
                style: nil, relevantDates: dates, expirationDate: nil, isVoided: false, now: moment
            ).section
        }
        let next = PassSection.nextChange(
            relevantDates: dates, expirationDate: nil, isVoided: false, after: now)
        #expect(place(at: now) == row.section)
        guard let hours = row.date else { return #expect(next == nil) }
        let change = try #require(next)
        #expect(abs(change.timeIntervalSince(now) - hours * 3600) < 1)
        #expect(place(at: change) != row.section)
        #expect(place(at: change - 1) == row.section)
    }

    @Test("a store card is of use after its dates")
    func storeCard() {
        let found = PassSection.place(
            style: .storeCard, relevantDates: [RelevantDate(date: now - 86400)],
            expirationDate: nil, isVoided: false, now: now)
        #expect(found.section == .other && found.date == nil)
    }

    @Test("an expiration is the last change")
    func expiration() {
        func next(at moment: Date) -> Date? {
            PassSection.nextChange(
                relevantDates: [RelevantDate(date: now + 86400)], expirationDate: now + 60,
                isVoided: false, after: moment)
        }
        #expect(next(at: now) == now + 60)
        #expect(next(at: now + 60) == nil)
    }
}
