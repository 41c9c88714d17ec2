import Fetching
import Foundation
import Testing

@Suite("A date is formatted as in RFC 9110")
struct HTTPDateTextTests {
    // The first rows are from RFC 9110 (5.6.7, 6.6.1, 8.8.2, 10.2.3, 13.1.3). Their seconds, and
    // the other rows, are from `date`.
    @Test(arguments: [
        (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (784_887_151.0, "Tue, 15 Nov 1994 08:12:31 GMT"),
        (784_903_526.0, "Tue, 15 Nov 1994 12:45:26 GMT"),
        (946_684_799.0, "Fri, 31 Dec 1999 23:59:59 GMT"),
        (783_459_811.0, "Sat, 29 Oct 1994 19:43:31 GMT"),
        (0.0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400.999, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (-1.0, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (4_102_444_800.0, "Fri, 01 Jan 2100 00:00:00 GMT"),
    ])
    func text(seconds: Double, text: String) {
        #expect(HTTPDate(Date(timeIntervalSince1970: seconds)).text == text)
    }

    @Test(
        "a date outside the range of the format has no text",
        arguments: [253_402_300_800, 1e300, -1e13, .infinity, .nan])
    func outside(seconds: Double) {
        #expect(HTTPDate(Date(timeIntervalSince1970: seconds)).text == nil)
    }
}
