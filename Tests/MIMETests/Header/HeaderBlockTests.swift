import Bytes
import MIME
import Testing

@Suite("A header block stores only the fields that references need")
struct HeaderBlockTests {
    @Test(arguments: [
        ("Subject: a\n b\r\n\tc\n", "a b c"), ("SUBJECT :a\n", "a"), ("Subject:\n", ""),
        ("Subject: =?utf-8?Q?a=3Db?=\n =?utf-8?B?YWI=?=\n", "a=bab"),
        ("Subject: =?utf-8?B?YWI=?= =?utf-8?B?YQ==?=\n", "aba"),
        ("X-Other: x\n y\nSubject: a\nReceived: z\n w\n b\nSubject: second\n", "a"),
        ("junk\nSubject: a\njunk\nTo: b\n", "a"), ("From: x\n", ""),
    ])
    func subject(_ row: (header: String, subject: String)) {
        #expect(header(row.header).text(of: "subject") == row.subject)
    }

    @Test func fieldsThatNobodyAsksForAreNotKept() {
        let block = header(String(repeating: "a:\nReceived: b\n c\n", count: 1000))
        #expect(block.fields.isEmpty)
        #expect(block.bytes.isEmpty)
        #expect(!block.isEmpty)
    }

    @Test func thereIsALimitToThoseThatAre() {
        let block = header(String(repeating: "Date:\n", count: 10_000))
        #expect(block.fields.count < 10_000)
        #expect(block.isCut)
    }

    @Test("a decoded header that continues after a blank line is still one header")
    func decodedInPieces() {
        let text = """
            Content-Type: multipart/mixed; boundary=b
            Content-Transfer-Encoding: quoted-printable

            --b
            Content-Type: text/plain; x=\(String(repeating: "=3D", count: 20))
            zz

             Content-Disposition: x
            zz
            Content-Disposition: attachment; filename=3Da.pkpass

            """
        #expect(header(text).fields.count == 2)
    }

    private func header(_ text: String) -> HeaderBlock {
        var parser = MessageParser { _ in false }
        let bytes = Array(text.utf8)
        var marks = LineMarks()
        marks.mark(bytes.span, startsLine: true)
        parser.begin(isInMbox: false)
        parser.feed(bytes.span, 0..<bytes.count, marks: marks, startsLine: true)
        parser.finish()
        return parser.header
    }
}
