import MIME
import Testing

@Suite("An encoded file inside text is found")
struct LooseFileTests {
    @Test(arguments: rows)
    func uuencoded(_ row: (title: String, message: String, number: String)) throws {
        try check(row.title, Array(row.message.utf8), row.number)
    }

    static let rows: [(title: String, message: String, number: String)] = [
        ("alone", "Subject: x\n\n" + Payload.uuencoded, "1!ticket.pkpass"),
        (
            "between lines", "Subject: x\n\nHello\n\n" + Payload.uuencoded + "\nBye\n",
            "1!ticket.pkpass"
        ),
        (
            "without an end",
            "Subject: x\n\nHello\nbegin 644 ticket.pkpass\n" + Payload.uuencodedLines,
            "1!ticket.pkpass"
        ),
        (
            "behind a look-alike",
            "Subject: x\n\nbegin 644 a\nbegin now\nbegin 600 b.pkpass\n\n"
                + Payload.uuencoded, "1!ticket.pkpass"
        ),
        (
            "in a part", message("Content-Type: text/plain", "Hello\n" + Payload.uuencoded),
            "2!ticket.pkpass"
        ),
        (
            "in HTML",
            message("Content-Type: text/html", "Hello\n" + Payload.uuencoded + "\nend\n"),
            "2!ticket.pkpass"
        ),
        (
            "with a name of words",
            "Subject: x\n\nHello\n"
                + Payload.uuencoded.replacing(
                    "ticket.", with: "my ticket."), "1!my ticket.pkpass"
        ),
        (
            "with a mode of four digits",
            "Subject: x\n\nHello\n"
                + Payload.uuencoded.replacing(
                    "644", with: "0644"), "1!ticket.pkpass"
        ),
        (
            "with the whole mode",
            "Subject: x\n\nHello\n" + Payload.uuencoded.replacing("644", with: "100644"),
            "1!ticket.pkpass"
        ),
        (
            "without a mode",
            "Subject: x\n\nHello\n" + Payload.uuencoded.replacing("644 ", with: ""),
            "1!ticket.pkpass"
        ),
        (
            "in upper case",
            "Subject: x\n\n"
                + Payload.uuencoded.replacing("begin", with: "BEGIN").replacing("end", with: "END"),
            "1!ticket.pkpass"
        ),
        (
            "with tabs", "Subject: x\n\n" + Payload.uuencoded.replacing("644 ", with: "\t644\t"),
            "1!ticket.pkpass"
        ),
        (
            "with spaces at line ends",
            "Subject: x\n\n" + Payload.uuencoded.replacing("\n", with: "  \n"), "1!ticket.pkpass"
        ),
        (
            "with blank lines",
            "Subject: x\n\n" + Payload.uuencoded.replacing("\n", with: "\n\n"), "1!ticket.pkpass"
        ),
        (
            "without an end, before text",
            "Subject: x\n\nbegin 644 ticket.pkpass\n" + Payload.uuencodedLines + "Bye, all.\n",
            "1!ticket.pkpass"
        ),
        (
            "without an end, before another",
            "Subject: x\n\nbegin 644 other.pkpass\n" + Payload.uuencodedLines + Payload.uuencoded,
            "1!ticket.pkpass"
        ),
        (
            "escaped in HTML",
            message(
                "Content-Type: text/html",
                "<pre>\n" + Payload.uuencoded.replacing("&", with: "&amp;") + "</pre>\n"),
            "2!ticket.pkpass"
        ),
        (
            "escaped in HTML with its quotation marks",
            message(
                "Content-Type: text/html",
                "<pre>\n"
                    + Payload.uuencoded.replacing("&", with: "&amp;")
                    .replacing("\"", with: "&quot;").replacing("'", with: "&#x27;") + "</pre>\n"),
            "2!ticket.pkpass"
        ),
        (
            "in HTML with line breaks",
            message(
                "Content-Type: text/html",
                "Hello<br>\n"
                    + Payload.uuencoded.replacing("&", with: "&amp;")
                    .replacing("\n", with: "<br>\n")),
            "2!ticket.pkpass"
        ),
        (
            "in quoted-printable",
            message(
                "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable",
                "Hello=20\n"
                    + Payload.uuencoded.replacing("=", with: "=3D").replacing(
                        "4&", with: "4=\n&")),
            "2!ticket.pkpass"
        ),
        (
            "in base64",
            "Subject: x\n\nHello\nbegin-base64 644 ticket.pkpass\n\(Payload.base64)\n====\nBye\n",
            "1!ticket.pkpass"
        ),
        (
            "in base64 without an end",
            "Subject: x\n\nbegin-base64 644 ticket.pkpass\n\(Payload.base64)\nGood bye.\n",
            "1!ticket.pkpass"
        ),
        (
            "with a name that is encoded",
            "Subject: x\n\n"
                + Payload.uuencoded.replacing(
                    "begin 644 ticket.pkpass", with: "begin-encoded 644 dGlja2V0LnBrcGFzcw=="),
            "1!ticket.pkpass"
        ),
        (
            "behind a multipart", message("Content-Type: text/plain") + "\n" + Payload.uuencoded,
            "!ticket.pkpass"
        ),
    ]

    @Test func yEncoded() throws {
        let start = Array("Subject: x\n\nHello\n\n".utf8)
        try check("yEnc", start + Payload.yEncoded + Array("Bye\n".utf8), "1!ticket.pkpass")
        let begin = Array("=ybegin line=128 size=46 name=ticket.pkpass\n".utf8)
        let inParts =
            Array(
                "=ybegin part=1 line=128 size=46 name=ticket.pkpass\n=ypart begin=1 end=46\n".utf8)
            + Payload.yEncoded.dropFirst(begin.count)
        try check("yEnc in parts", start + inParts, "1!ticket.pkpass")
    }

    /// Checks the message with text around the file that is not a candidate itself.
    private func check(_ title: String, _ message: [UInt8], _ number: String) throws {
        for message in [message, withCarriageReturns(message)] {
            let found = try parts(of: message) { $0.names.contains { $0.hasSuffix(".pkpass") } }
            let part = found.parts.first { $0.number == number }
            #expect(part?.bytes == Payload.bytes, "\(title): \(found)")
            #expect(part?.names.first?.hasSuffix("ticket.pkpass") == true)
        }
    }

    @Test func fileOfNoInterestIsFoundByItsFirstBytes() throws {
        let text = "Subject: x\n\nHello\n" + Payload.uuencoded.replacing("pkpass", with: "txt")
        let found = try parts(of: Array(text.utf8)) { _ in false }
        #expect(found.parts.map(\.bytes) == [Payload.bytes])
    }

    @Test func textThatSpeaksOfFilesIsNone() throws {
        let text =
            "Subject: x\n\nbegin 644 a.pkpass\nwas what I read.\nend\n=ybegin name=a.pkpass\n\n"
        let found = try parts(of: Array(text.utf8)) { $0.names == ["a.pkpass"] }
        #expect(found.parts.isEmpty)
    }
}
