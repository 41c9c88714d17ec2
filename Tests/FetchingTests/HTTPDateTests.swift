import Fetching
import Testing

/// Expected: `date --utc --date=TEXT +%s`.
@Suite("The three forms of HTTP dates are parsed")
struct HTTPDateTests {
    private let now = HTTPDate(seconds: 1_790_000_000)

    @Test(
        "valid dates",
        arguments: [
            // RFC 9110, 5.6.7.
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Wed, 21-Oct-65 00:00:00 GMT", 3_023_308_800),
            ("Fri, 31 Dec 1999 23:59:60 GMT", 946_684_800),
            // Accepted, but not in RFC 9110.
            ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
            ("SUN, 06 NOV 1994 08:49:37 gmt", 784_111_777),
            ("sunday, 06-nov-94 08:49:37 utc", 784_111_777),
        ])
    func moments(text: String, seconds: Int) {
        #expect(HTTPDate(text, now: now)?.seconds == seconds)
    }

    @Test(
        "invalid dates",
        arguments: [
            "", "yesterday", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Xxx 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        ])
    func noMoments(text: String) {
        #expect(HTTPDate(text, now: now) == nil)
    }
}
