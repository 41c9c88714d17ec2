import Foundation
import Testing

@testable import PassPresentation

@Suite("A moment is formatted as by Foundation")
struct CivilMomentTests {
    @Test(arguments: ["GMT", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati"])
    func moments(zone: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = timeZone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        // The first and last seconds of a leap year, of a century and of the supported range, and
        // others in between.
        var seconds: [Double] = [
            -1_262_303_999, -1, -0.5, 0, 951_782_399, 951_782_400, 951_868_800, 4_107_542_399,
            4_107_542_400, 1_709_164_800, 1_735_689_599.9, 253_402_214_399,
        ]
        seconds += stride(from: -1_262_000_000, to: 253_000_000_000, by: 123_456_789)
        for second in seconds {
            let date = Date(timeIntervalSince1970: second)
            let moment = CivilMoment(date, in: timeZone)?.description
            #expect(moment == formatter.string(from: date))
        }
    }

    @Test(
        "moments outside the range are formatted by Foundation",
        arguments: [-1_262_304_000, 253_402_214_400, -1e300, .infinity, .nan] as [Double])
    func outside(second: Double) {
        #expect(CivilMoment(Date(timeIntervalSince1970: second), in: .gmt)?.description == nil)
    }
}
