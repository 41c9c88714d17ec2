import Testing

@testable import MIME

@Suite("The fast reader agrees with the full one, and accepts only plain values")
struct PlainValueTests {
    /// Fragments of values that senders write, and of values that they do not write.
    static let pieces = [
        "text/plain", "multipart/mixed", "attachment", "message/partial", "Application/PDF", "; ",
        ";", ";\r\n\t", " ", "\t", "name=", "filename=", "boundary=", "charset=", "NAME=", "x-uti=",
        "name*=", "name*0=", "\"a.pkpass\"", "a.pkpass", "\"----=_Part_1\"", "utf-8", "\"a b.c\"",
        "com.apple.pkpass", "\"\"", "\"a%20b\"", "\"=?utf-8?q?a?=\"", "\"a\\\"b\"", "\"", "=",
        "(c)",
        ",", ":", "\u{E9}", "/", "id=1", "a", "'", "\\", "\"a;b=c\"", "\u{1B}$", "=3D", "%41",
    ]

    /// All sequences of two fragments after several beginnings, and of three after one.
    @Test func allRunsOfPieces() {
        var plain = 0
        for first in Self.pieces {
            for second in Self.pieces {
                for start in ["", "text/plain; ", "attachment; filename="]
                where isRead(start + first + second) {
                    plain += 1
                }
                for third in Self.pieces where isRead("a/b;" + first + second + third) {
                    plain += 1
                }
            }
        }
        #expect(plain > 1000)
    }

    static let usual = [
        "text/plain; charset=utf-8", "multipart/mixed; boundary=\"----=_Part_1_2.3\"",
        "attachment;\r\n\tfilename=\"Boarding Pass.pkpass\"; size=1234", "inline",
        "application/vnd.apple.pkpass; name=a.pkpass; x-apple-uti=com.apple.pkpass;",
        " Text/HTML ;charset=\"iso-8859-1\" ; format=flowed\r\n",
    ]

    @Test(arguments: usual) func usualValuesArePlain(value: String) {
        #expect(isRead(value))
    }

    static let odd = [
        "", "text/plain; charset", "text/plain charset=utf-8", "name=a.pkpass", "text / plain",
        "text/plain; name=\"a", "text/plain; name=a b", "text/plain (c)", "text/plain; name =a",
        "attachment; filename*=utf-8''a", "attachment; filename=\"a%20b\"",
        "attachment; filename=\"=?utf-8?q?a?=\"", "message/partial; id=1; number=1",
        "a; b=1; c=2; d=3; e=4; f=5; g=6; h=7; i=8; j=9", "text/plain, a=b",
    ]

    @Test(arguments: odd) func oddValuesAreNot(value: String) {
        #expect(!isRead(value))
    }

    /// Whether a value is plain; if so, the full reader must agree.
    private func isRead(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let value = PlainValue(bytes.span, 0..<bytes.count),
            let plain = PlainReading(value, bytes.span)
        else { return false }
        let readings = HeaderValue.readings(bytes, limit: 100)
        #expect(readings.count == 1, "\(text.debugDescription)")
        guard let other = readings.first else { return true }
        func texts(_ kind: PlainReading.Kind) -> [String] {
            plain.values.filter { $0.kind == kind }.map(\.text)
        }
        let parameters = other.parameters
        #expect(plain.word == other.word, "\(text.debugDescription)")
        #expect(texts(.name) == parameters.texts(of: "name"), "\(text.debugDescription)")
        #expect(texts(.fileName) == parameters.texts(of: "filename"), "\(text.debugDescription)")
        #expect(texts(.identifier) == parameters.identifiers(), "\(text.debugDescription)")
        #expect(
            (plain.boundary.map { [$0] } ?? []) == parameters.bytes(of: "boundary"),
            "\(text.debugDescription)")
        return true
    }
}
