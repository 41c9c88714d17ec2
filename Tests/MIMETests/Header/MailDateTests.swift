import MIME
import Testing

/// Expected: `date --utc --date=TEXT +%s`.
@Suite("The date of a message is read")
struct MailDateTests {
    @Test(
        "in the forms of RFC 5322",
        arguments: [
            // Appendix A.
            ("Fri, 21 Nov 1997 09:55:06 -0600", 880_127_706),
            ("Thu, 13 Feb 1969 23:32:54 -0330", -27_723_426),
            ("21 Nov 97 09:55:06 GMT", 880_106_106),
            ("Tue, 1 Jul 2003 10:52:37 +0200", 1_057_049_557),
            ("1 Jul 2003 10:52 EDT", 1_057_071_120),
        ])
    func standard(text: String, seconds: Int) {
        #expect(MailDate.seconds(text) == seconds)
    }

    @Test(
        "with its words in another order, months in full, or no zone",
        arguments: [
            ("Nov 21 1997 09:55:06 -0600", 880_127_706),
            ("09:55:06 -0600 21 Nov 1997", 880_127_706),
            ("Friday, 21 November 1997 09:55:06 -0600", 880_127_706),
            ("november 21, 1997 09:55", 880_106_100),
            ("Fri, 21 Nov 1997 09:55:06", 880_106_106),
        ])
    func accepted(text: String, seconds: Int) {
        #expect(MailDate.seconds(text) == seconds)
    }

    @Test(
        "and others are not",
        arguments: ["", "yesterday", "Fri, 21 Nov 1997", "Nov 1997 09:55:06", "21 Nov 1997 24:00"])
    func refused(text: String) {
        #expect(MailDate.seconds(text) == nil)
    }
}
