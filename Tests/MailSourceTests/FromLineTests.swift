import Bytes
import Testing

@testable import MailSource

@Suite("An mbox line is a separator if it has a sender and a date, or only `From`")
struct FromLineTests {
    @Test(
        "separators that programs write",
        arguments: [
            "From alice@example.com Mon Jan  1 00:00:00 2024",
            "From alice@example.com Mon Jan 01 00:00:00 2024\r",
            "From - Fri Mar 07 12:34:56 2025",
            "From 178@xxx Mon Jan 01 00:00:00 +0000 2024",
            "From 1785422@xxx Sat Feb 29 23:59:60 -0800 2020",
            "From MAILER-DAEMON Fri Jul  8 12:08:34 2011",
            "From alice Mon Jan  1 00:00 2024",
            "From alice Mon Jan  1 00:00:00 PST 2024",
            "From alice Mon Jan  1 00:00:00 2024 -0500",
            "From alice Mon Jan  1 00:00:00 2024 remote from uucp",
            "From \"Alice A\" <alice@example.com> Mon Jan  1 00:00:00 2024",
            "From alice@example.com Mon, 1 Jan 2024 00:00:00 +0000",
            "From alice@example.com 1 Jan 2024 00:00:00 +0000",
            "From alice@example.com 01 Jan 2024 0:00 -0500",
            "From ???@??? Mon Jan 01 00:00:00 2024", "From ???@??? Mon Jan  1 00:00:00 2024\r",
            "From alice@example.com  mon jan  1 0:00:00 2024",
            "From ", "From \r", "From    ",
        ])
    func separators(line: String) {
        #expect(judge(line + "\nno header\n") == .separator)
        #expect(judge(line) == .separator)
    }

    @Test(
        "text that people write",
        arguments: [
            "From now on we meet on Mon at 10:00 in 2024",
            "From now on we ...", "From:", "From", "from alice Mon Jan  1 00:00:00 2024",
            ">From alice Mon Jan  1 00:00:00 2024", " From alice Mon Jan  1 00:00:00 2024",
            "From\talice", "From Monday Jan 1 to Tuesday Jan 2, 10:00, 2024",
            "From alice Mon Jan  1 2024", "From alice Jan  1 00:00:00 2024",
            "From today 1 Jan 2024 10:00 tickets", "From 1 Jan 2024 10:00 +0100",
            "From alice 1 Jan 2024 00:00:00", "From alice on 1 Jan 2024 00:00:00 +0000",
            "From Mon", "From Mon Jan", "From alice Mon Jan x 00:00:00 2024",
            "From " + String(repeating: "x", count: 2_000) + " Mon Jan  1 00:00:00 2024",
        ])
    func texts(line: String) {
        #expect(judge(line + "\nno header\n") == .text)
        #expect(judge(line + "\n") == .text)
        #expect(judge(line) == .text)
    }

    @Test(
        "a line without a date is a separator if a header follows",
        arguments: [
            ("Received: by x", true), ("subject:x", true), ("X-Any-Thing: y", true),
            ("Message-ID: <a@b>", true), ("Autocrypt: a", true),
            ("see here: there", false), ("note: this", false), (": x", false), ("", false),
            (" Subject: folded", false), ("-: x", false),
        ])
    func header(next: String, isSeparator: Bool) {
        #expect(judge("From alice\n\(next)\n") == (isSeparator ? .separator : .text))
        #expect(judge("From alice\r\n\(next)\r\n") == (isSeparator ? .separator : .text))
    }

    @Test("the reader decides after the next line, up to a length limit")
    func undecided() {
        #expect(judge("From alice\n", isAtEnd: false) == .undecided)
        #expect(judge("From alice\nSubj", isAtEnd: false) == .undecided)
        #expect(judge("From alice\nSubject:", isAtEnd: false) == .separator)
        #expect(judge("From alice\nSubj", isAtEnd: true) == .text)
        let long = String(repeating: "x", count: 2_000)
        #expect(judge("From alice\n\(long)", isAtEnd: false) == .text)
    }

    private func judge(_ text: String, isAtEnd: Bool = true) -> FromLine.Judgement {
        let bytes = Array(text.utf8)
        return FromLine.judge(bytes.span, at: 0, isAtEnd: isAtEnd)
    }
}
