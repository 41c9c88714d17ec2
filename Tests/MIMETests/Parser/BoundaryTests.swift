import Testing

@Suite("Parts are separated, however the boundary is written")
struct BoundaryTests {
    private static let pass =
        "Content-Type: application/x; name=ticket.pkpass\n"
        + "Content-Transfer-Encoding: base64\n\n\(Payload.base64)\n"
    private static let text = "Content-Type: text/plain\n\nText.\n"

    private static func multipart(_ parameter: String, subtype: String = "mixed") -> String {
        "Subject: x\nContent-Type: multipart/\(subtype); \(parameter)\n\n"
    }

    private static let inner = "Content-Type: multipart/mixed; boundary=i\n\n"
    private static let outer = multipart("boundary=b")
    private static let long = String(repeating: "x", count: 180)

    @Test(arguments: rows)
    func boundary(_ row: (title: String, number: String, message: String)) throws {
        try Row(row.title, row.message, number: row.number, name: "ticket.pkpass").check()
    }

    static let rows: [(title: String, number: String, message: String)] = [
        ("as it should be", "2", outer + "--b\n\(text)--b\n\(pass)--b--\n"),
        ("without an end", "2", outer + "--b\n\(text)--b\n\(pass)"),
        (
            "inner without an end", "2",
            outer + "--b\n\(inner)--i\n\(text)--b\n\(pass)--b--\n"
        ),
        ("inner and outer without an end", "1.2", outer + "--b\n\(inner)--i\n\(text)--i\n\(pass)"),
        ("inner without any part", "2", outer + "--b\n\(inner)--b\n\(pass)--b--\n"),
        (
            "outer is the prefix", "2",
            outer
                + "--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\(text)--bb--\n--b\n\(pass)--b--\n"
        ),
        (
            "inner is the prefix", "1.2",
            multipart("boundary=bb")
                + "--bb\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\(text)--b\n\(pass)--b--\n--bb--\n"
        ),
        (
            "prefix by the dashes of an end", "2",
            multipart("boundary=b")
                + "--b\nContent-Type: multipart/mixed; boundary=b--\n\n--b--\n\(text)--b----\n--b\n\(pass)--b--\n"
        ),
        (
            "the same twice", "2",
            outer
                + "--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\(text)--b--\n--b\n\(pass)--b--\n"
        ),
        (
            "the same in a sibling", "2.2",
            outer
                + "--b\n\(inner)--i\n\(text)--i--\n--b\n\(inner)--i\n\(text)--i\n\(pass)--i--\n--b--\n"
        ),
        ("white space behind it", "2", outer + "--b \t \n\(text)--b \n\(pass)--b-- \n"),
        (
            "white space in the parameter", "2",
            multipart("boundary=\"b  \"") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        ("quoted", "2", multipart("boundary=\"a b\"") + "--a b\n\(text)--a b\n\(pass)--a b--\n"),
        (
            "unquoted with spaces", "2",
            multipart("boundary=a b") + "--a b\n\(text)--a b\n\(pass)--a b--\n"
        ),
        (
            "unquoted with punctuation", "2",
            multipart("boundary===_(a)?=/:,") + "--==_(a)?=/:,\n\(text)--==_(a)?=/:,\n\(pass)"
        ),
        (
            "unquoted before a comment", "2",
            multipart("boundary=b (c)") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "missing closing quote", "2",
            multipart("boundary=\"b") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "missing closing quote, then a parameter", "2",
            multipart("boundary=\"b; type=\"a/b\"") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "a semicolon missing before it", "2",
            "Content-Type: multipart/mixed boundary=b\n\n--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "a semicolon missing behind it", "2",
            multipart("boundary=b type=a/b") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        ("apostrophes", "2", multipart("boundary='b'") + "--'b'\n\(text)--'b'\n\(pass)--'b'--\n"),
        ("extended", "2", multipart("boundary*=us-ascii''a%20b") + "--a b\n\(text)--a b\n\(pass)"),
        (
            "continued", "2",
            multipart("boundary*0=a;\n boundary*1=b") + "--ab\n\(text)--ab\n\(pass)"
        ),
        (
            "twice, the second is meant", "2",
            multipart("boundary=a; boundary=b") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "180 bytes", "2",
            multipart("boundary=\(long)") + "--\(long)\n\(text)--\(long)\n\(pass)--\(long)--\n"
        ),
        (
            "one byte less is none", "1",
            multipart("boundary=\(long)y") + "--\(long)y\n\(pass.dropLast(1))\n--\(long)\n"
        ),
        ("no parameter", "2", "Content-Type: multipart/mixed\n\n--b\n\(text)--b\n\(pass)--b--\n"),
        (
            "no parameter, a preamble", "2",
            "Content-Type: multipart/mixed\n\nA preamble.\n--\n-- \n--b\n\(text)--b\n\(pass)--b--\n"
        ),
        ("an empty parameter", "2", multipart("boundary=\"\"") + "--b\n\(text)--b\n\(pass)--b--\n"),
        (
            "another than the parameter says", "2",
            multipart("boundary=a") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "inner other than the parameter says", "1.2",
            outer + "--b\n\(inner)--j\n\(text)--j\n\(pass)--j--\n--b--\n"
        ),
        ("no multipart at all", "1.2", "Subject: x\n\n--b\n\(text)--b\n\(pass)--b--\n"),
        (
            "said to be text, as in a bounce", "1.3",
            "Content-Type: text/plain\n\nReturned mail:\n\n--b\n\(text)--b\n\n--b\n\(pass)--b--\n"
        ),
        (
            "no blank line before the first part", "2",
            "Subject: x\nContent-Type: multipart/mixed; boundary=b\n--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "no blank line before an inner part", "1.2",
            outer + "--b\n\(inner.dropLast(1))--i\n\(text)--i\n\(pass)--i--\n--b--\n"
        ),
        (
            "like a field, no blank line before it", "3",
            "Content-Type: multipart/mixed; boundary=\":b\"\n--:b\n\(text)--:b\nX: y\n--:b\n\(pass)"
        ),
        (
            "a part whose header has no end", "2",
            outer + "--b\nContent-Type: text/plain\n--b\n\(pass)--b--\n"
        ),
        ("a blank line before a header", "2", outer + "--b\n\(text)--b\n\n\(pass)--b--\n"),
        ("a blank line in the message's header", "1", "Subject: x\n\n" + pass),
        (
            "a blank line before the message's type", "2",
            "Subject: x\n\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "no blank line before a body", "2",
            outer + "--b\n\(text)--b\n" + pass.replacing("\n\n", with: "\n") + "--b--\n"
        ),
        (
            "lines of junk in headers", "2",
            "junk\n" + outer.replacing("\nC", with: "\nThis is junk\n--more\nC")
                + "--b\n\(text)--b\njunk\n\(pass)--b--\n"
        ),
        (
            "a From line among fields", "2",
            "From a@b Mon Jan  1 00:00:00 2024\nX: y\n>From c@d Mon Jan  1 00:00:00 2024\n" + outer
                + "--b\n\(text)--b\n\(pass)"
        ),
        (
            "NULs", "2",
            "Subject: \0\n\0\0\n" + outer.dropFirst(11)
                + "A\0preamble\n--b\n\(text)\0--b\n--b\n\(pass)--b--\n\0"
        ),
        ("a NUL behind it", "2", outer + "--b\0\n\(text)--b\0\n\(pass)--b--\n"),
        ("carriage returns behind it", "2", outer + "--b\r\r\n\(text)--b\r\r\n\(pass)--b--\r\r\n"),
        ("empty parts", "5", outer + "--b\n--b\n\n--b\n\n\n--b\n\(text)--b\n\(pass)--b--\n"),
        (
            "parts behind the end", "3",
            outer + "--b\n\(text)--b\n\(text)--b--\nEpilogue.\n--b\n\(pass)"
        ),
        (
            "an unknown subtype", "2",
            multipart("boundary=b", subtype: "x-unheard-of") + "--b\n\(text)--b\n\(pass)--b--\n"
        ),
        (
            "upper case", "2",
            "CONTENT-TYPE: MULTIPART/MIXED; BOUNDARY=B\n\n--B\n\(text)--B\n\(pass)--B--\n"
        ),
        (
            "signed", "1",
            multipart("boundary=b; protocol=\"application/pgp-signature\"", subtype: "signed")
                + "--b\n\(pass)--b\n\(text)--b--\n"
        ),
        (
            "dashes in text", "2",
            outer + "--b\nX: y\n\n-- \nA\n--\n---\n--c\n-- b\n --b\n--b\n\(pass)--b--\n"
        ),
        (
            "type twice, the second a multipart", "2",
            "Content-Type: text/plain\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\(text)--b\n\(pass)--b--\n"
        ),
    ]

    @Test(arguments: missedRows)
    func missed(_ row: (title: String, number: String, message: String)) throws {
        try Row(row.title, row.message, number: row.number, name: "ticket.pkpass").check()
    }

    private static let sample = multipart("boundary=sample")

    /// Delimiters that are recognised only because a header follows.
    static let missedRows: [(title: String, number: String, message: String)] = [
        ("behind text", "2", sample + "--sample\n\(text.dropLast())--sample\n\(pass)--sample--\n"),
        (
            "behind a long line", "2",
            sample + "--sample\n\n\(String(repeating: "x", count: 300))--sample\n\(pass)"
        ),
        ("behind base64", "1", sample + "--sample\n\(pass.dropLast())--sample\n\(text)"),
        ("indented", "2", sample + " --sample\n\(text)\t--sample \n\(pass) --sample--\n"),
        ("quoted", "2", sample + ">--sample\n\(text)> --sample\n\(pass)"),
        ("like an end", "2", sample + "--sample--\n\(text)--sample--\n\(pass)"),
        ("without dashes", "2", sample + "sample\n\(text)sample\n\(pass)"),
        ("with one dash", "2", sample + "-sample\n\(text)-sample\n\(pass)"),
        ("behind the inner end", "2", outer + "--b\n\(inner)--i\n\(text)--i----b\n\(pass)--b--\n"),
        (
            "before other fields", "2",
            multipart("boundary=x") + "--b\nX-A: b\n\(text)--b\nX-A: b\nX-B: c\n\(pass)"
        ),
        (
            "not indented", "2",
            "Content-Type: multipart/mixed;\nboundary=b\n\n--b\n\(text)--b\n\(pass)"
        ),
        (
            "with a colon, not indented", "2",
            "Content-Type: multipart/mixed;\nboundary=\"a:b\"\n\n--a:b\n\(text)--a:b\n\(pass)"
        ),
        (
            "of no multipart by its type", "2",
            "Content-Type: mixed; boundary=b\n\n--b\n\(text)--b\n\(pass)"
        ),
        (
            "encoded with everything in it", "2",
            "Content-Type: multipart/mixed; boundary=\"=b\"\nContent-Transfer-Encoding: "
                + "quoted-printable\n\n--=b\n\(text)--=b\n"
                + pass.replacing("=ticket", with: "=3Dticket")
        ),
    ]

    @Test func textThatNamesABoundaryIsNoDelimiter() throws {
        let text =
            "sample\nX-Content-Type: a/b\n--sampleContent-\nA --sample\nB\nContent-Type: a/b\n"
        let message = Self.sample + "--sample\nContent-Type: application/x\n\n\(text)\n--sample--\n"
        let found = try parts(of: Array(message.utf8))
        #expect(found.parts.map(\.bytes) == [Array(text.utf8)])
    }

    /// Bytes of a missed delimiter are removed from a stored part, wherever the buffer ends.
    @Test func octetsBeforeAMissedDelimiterAreWhole() throws {
        let body = "\u{1}\u{2}\r\n\u{3}"
        let message = Array(
            (Self.sample + "--sample\nContent-Type: application/x\n\n\(body)\n --sample\n"
                + "Content-Type: text/plain\n\nText.\n--sample--\n").utf8)
        for size in 64..<message.count {
            let found = try parts(of: message, bufferSize: size)
            #expect(found.parts.first?.bytes == Array(body.utf8), "with a buffer of \(size) bytes")
        }
    }

    /// The parser may split a line longer than the buffer anywhere, even within the line end before
    /// a delimiter.
    @Test func lineEndsAtTheEdgeOfABuffer() throws {
        for length in 1000..<1100 {
            let body = String(repeating: "x", count: length)
            let message = withCarriageReturns(
                Array((Self.outer + "--b\nContent-Type: application/x\n\n\(body)\n--b--\n").utf8))
            let found = try parts(of: message, bufferSize: 128)
            #expect(found.parts.map(\.bytes) == [Array(body.utf8)])
        }
    }
}
