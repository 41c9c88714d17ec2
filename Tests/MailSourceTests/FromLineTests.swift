import Bytes
import Testing

@testable import MailSource

@Suite("A `From ` line with a date, or without a sender, separates if a header or nothing follows")
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
        for next in ["Subject: x", "a:", "Größe: x", "Subject : x", ">From alice", "From alice"] {
            #expect(judge("\(line)\n\(next)\n") == .separator)
        }
        #expect(judge(line + "\nContent-Type: text/plain\n") == .separatorUnlessInPart)
        for end in ["", "\n", "\n\n", "\n\r\n", "\n\ntext\n"] {
            #expect(judge(line + end) == .separatorAfterBlankLine)
        }
        let texts = [
            "no header", "begin 644 a.pkpass", "M4$L#!!0", "UEsDB", "http://a", " a: b", ">a",
        ]
        for next in texts { #expect(judge("\(line)\n\(next)\n") == .separatorAtStart) }
    }

    @Test("the line before a separator decides if the next one does not")
    func previousLine() {
        let rows: [(String, FromLine.PreviousLine)] = [
            ("", .none), ("\0\0", .none), ("\n", .none), ("\u{FEFF}\r\n", .none),
            (String(repeating: "\n", count: 300), .blank), ("text\n\n", .blank),
            ("text\r\n\r\n", .blank), ("text\n \n", .blank), ("text\n", .other),
            ("text", .other), ("text\n\0\0", .other), ("text\n\n\0\0", .blank),
            ("--b\n", .delimiter), ("text\r\n--b\r\n", .delimiter), ("--b--\n", .other),
            ("--\n", .other), ("-- \n", .other), ("x --b\n", .other),
        ]
        for (before, line) in rows {
            #expect(FromLine.PreviousLine(Array(before.utf8)) == line, "\(before.debugDescription)")
        }
        let separators: [(FromLine.Judgement, [FromLine.PreviousLine])] = [
            (.separator, [.none, .blank, .delimiter, .other]),
            (.separatorAtStart, [.none]), (.separatorAfterBlankLine, [.none, .blank]),
            (.separatorUnlessInPart, [.none, .blank, .other]), (.text, []), (.undecided, []),
        ]
        for (judgement, lines) in separators {
            let all: [FromLine.PreviousLine] = [.none, .blank, .delimiter, .other]
            #expect(all.filter { judgement.separates(after: $0) } == lines, "\(judgement)")
        }
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
        let dated = "From alice Mon Jan  1 00:00:00 2024\n"
        #expect(judge(dated, isAtEnd: false) == .undecided)
        #expect(judge(dated + "Subject:", isAtEnd: false) == .undecided)
        #expect(judge(dated + "Subject: x\n", isAtEnd: false) == .separator)
        let long = String(repeating: "x", count: 2_000)
        #expect(judge("From alice\n\(long)", isAtEnd: false) == .text)
    }

    private func judge(_ text: String, isAtEnd: Bool = true) -> FromLine.Judgement {
        let bytes = Array(text.utf8)
        return FromLine.judge(bytes.span, at: 0, isAtEnd: isAtEnd)
    }
}
