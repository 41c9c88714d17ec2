import Foundation
import Testing

@testable import PassModel

@Suite("Dates are read in every form that passes use")
struct PassDateTests {
    /// The examples of the W3C note; the seconds are from Python.
    @Test(
        arguments: [
            ("1997", 852076800.0, nil, false), ("1997-07", 867_715_200, nil, false),
            ("1997-07-16", 869_011_200, nil, false),
            ("1997-07-16T19:20+01:00", 869_077_200, 3600, true),
            ("1997-07-16T19:20:30+01:00", 869_077_230, 3600, true),
            ("1997-07-16T19:20:30.45+01:00", 869077230.45, 3600, true),
            ("1994-11-05T08:15:30-05:00", 784_041_330, -18000, true),
            ("1994-11-05T13:15:30Z", 784_041_330, 0, true),
        ] as [(String, Double, Int?, Bool)])
    func standard(text: String, seconds: Double, zone: Int?, hasTime: Bool) throws {
        let date = try #require(PassDate(text))
        #expect(abs(date.date.timeIntervalSince1970 - seconds) < 0.0001)
        #expect(date.secondsFromGMT == zone && date.hasTime == hasTime && date.isStandard)
    }

    @Test(
        arguments: [
            ("2013-04-24T10:00-0400", 1366812000.0, -14400),
            ("2013-04-24T10:00:00.000+0000", 1_366_797_600, 0),
            ("2013-04-24T10:00:00", 1_366_797_600, nil), ("2013-04-24 10:00", 1_366_797_600, nil),
            ("2013-04-24 10:00:00 +0000", 1_366_797_600, 0),
            ("2013-04-24T10:00-04", 1_366_812_000, -14400),
            (" 2013-04-24t10:00z\n", 1_366_797_600, 0),
        ] as [(String, Double, Int?)])
    func tolerated(text: String, seconds: Double, zone: Int?) throws {
        let date = try #require(PassDate(text))
        #expect(date.date == Date(timeIntervalSince1970: seconds))
        #expect(date.secondsFromGMT == zone && !date.isStandard)
    }

    @Test("Hour 24 at the end of a day, and a leap second, are valid")
    func edges() {
        #expect(PassDate("2013-04-24T24:00Z")?.date == PassDate("2013-04-25T00:00Z")?.date)
        #expect(PassDate("2016-12-31T23:59:60Z")?.date == PassDate("2016-12-31T23:59:59Z")?.date)
    }

    @Test(arguments: [
        "", "tomorrow", "7/22", "20130424", "2013-13-01", "2013-02-30", "2013-04-24T25:00Z",
        "2013-04-24T10:60Z", "2013-04-24T10Z", "2013-04-24T10:00+99:00", "2013-04-24T10:00Zx",
        "2013-4-24",
        "2013-04-24T10:00:00.Z", "２０１３-04-24", String(repeating: "1", count: 1_000_000),
    ])
    func refused(text: String) {
        #expect(PassDate(text) == nil)
    }
}
