import MIME
import Testing

@Suite("A message within a message is read")
struct NestedMessageTests {
    private static let pass =
        "Content-Type: application/x; name=ticket.pkpass\n"
        + "Content-Transfer-Encoding: base64\n\n\(Payload.base64)\n"
    private static let inner =
        "Subject: inner\nContent-Type: multipart/mixed; boundary=\"=i=\"\n\n"
        + "--=i=\n\nText.\n--=i=\n\(pass)--=i=--\n"

    @Test(arguments: rows)
    func nested(_ row: (title: String, number: String, message: String)) throws {
        try Row(row.title, row.message, number: row.number, name: "ticket.pkpass").check()
    }

    static let rows: [(title: String, number: String, message: String)] = [
        ("alone", "1.2", "Content-Type: message/rfc822\n\n" + inner),
        ("of one part", "1.1", "Content-Type: message/rfc822\n\nSubject: x\n" + pass),
        ("in a multipart", "2.2", message("Content-Type: message/rfc822", inner)),
        ("global", "2.2", message("Content-Type: message/global", inner)),
        ("behind blank lines", "2.2", message("Content-Type: message/rfc822", "\n\n" + inner)),
        (
            "behind a From line", "2.2",
            message(
                "Content-Type: message/rfc822",
                "From a@b Mon Jan  1 00:00:00 2024\n" + inner)
        ),
        (
            "behind a quoted From line", "2.2",
            message(
                "Content-Type: message/rfc822",
                ">From a@b Mon Jan  1 00:00:00 2024\n" + inner)
        ),
        (
            "in a digest", "1.2",
            "Content-Type: multipart/digest; boundary=d\n\n--d\n\n\(inner)--d--\n"
        ),
        (
            "in a digest, declared", "1.2",
            "Content-Type: multipart/digest; boundary=d\n\n"
                + "--d\nContent-Type: message/rfc822\n\n\(inner)--d--\n"
        ),
        (
            "in a digest, without a blank line", "1",
            "Content-Type: multipart/digest; boundary=d\n\n--d\n\(pass)--d--\n"
        ),
        (
            "in base64", "2!2",
            message(
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64",
                base64)
        ),
        (
            "in quoted-printable", "2!2",
            message(
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable",
                inner.replacing("=", with: "=3D").replacing("WxvYWQ", with: "Wxv=\nYWQ"))
        ),
        (
            "in no base64, as it says", "2.2",
            message(
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", inner)
        ),
        (
            "in no quoted-printable, as it says", "2!2",
            message(
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable", inner)
        ),
        (
            "in base64 twice", "2!2!2",
            message(
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", base64Twice)
        ),
    ]

    /// A multipart that is encoded as a whole; made by Python's base64 of its body.
    @Test(arguments: ["Content-Transfer-Encoding: base64", "X-Nothing: of interest"])
    func encodedMultipart(field: String) throws {
        let body = """
            LS1pCkNvbnRlbnQtVHlwZTogdGV4dC9wbGFpbgoKVGV4dC4KLS1pCkNvbnRlbnQtVHlwZTogYXBw
            bGljYXRpb24veDsgbmFtZT10aWNrZXQucGtwYXNzCkNvbnRlbnQtVHJhbnNmZXItRW5jb2Rpbmc6
            IGJhc2U2NAoKVUVzREJCUUFJSEJoZVd4dllXUU5Da1p5YjIwZ2RHaHlaV1VLYkdsdVpYTWdQU0F4
            TURBZ0pTRC8vaTRLSVE9PQotLWktLQo=
            """
        let type = "Content-Type: multipart/mixed; boundary=i\n" + field
        try Row("alone", "Subject: x\n\(type)\n\n\(body)\n", number: "!2").check()
        try Row("in a multipart", message(type, body), number: "2!2").check()
    }

    @Test func depth() throws {
        for depth in [1, 50, 99, 100, 101] {
            let headers = String(repeating: "Content-Type: message/rfc822\n\n", count: depth)
            let found = try parts(of: Array((headers + Self.inner).utf8))
            #expect(found.parts.contains { $0.bytes == Payload.bytes }, "at depth \(depth)")
            // Deeper levels are searched as text.
            #expect(found.problems.map(\.kind.code) == (depth > 100 ? ["limit-depth"] : []))
        }
    }

    @Test func depthOfMultiparts() throws {
        for depth in [1, 50, 99, 100, 101] {
            var message = ""
            for level in 0..<depth {
                message += "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n"
            }
            let found = try parts(of: Array((message + Self.pass).utf8))
            #expect(found.parts.contains { $0.bytes == Payload.bytes }, "at depth \(depth)")
            // Deeper levels are searched as text.
            #expect(found.problems.map(\.kind.code) == (depth > 100 ? ["limit-depth"] : []))
        }
    }

    @Test(arguments: [
        "Content-Type: message/rfc822\n\n", "Content-Type: multipart/mixed; boundary=b\n\n--b\n",
    ])
    func tooDeepIsReportedOnce(header: String) throws {
        let headers = String(repeating: header, count: 3000)
        let found = try parts(of: Array((headers + Self.inner).utf8))
        #expect(found.problems.map(\.kind.code) == ["limit-depth"])
    }

    @Test func limitsAreReported() throws {
        var limits = MIMELimits()
        limits.parts = 3
        let many =
            "Content-Type: multipart/mixed; boundary=b\n\n"
            + String(repeating: "--b\n\nx\n", count: 10)
        #expect(
            try parts(of: Array(many.utf8), limits: limits).problems.map(\.kind.code) == [
                "limit-parts"
            ])
        limits = MIMELimits()
        limits.headerBlock = 100
        let long = "Subject: \(String(repeating: "x", count: 200))\n" + Self.pass
        let found = try parts(of: Array(long.utf8), limits: limits)
        #expect(found.problems.map(\.kind.code) == ["limit-header"])
        #expect(found.parts.first?.bytes == Payload.bytes)
        limits = MIMELimits()
        limits.partBody = 20
        #expect(
            try parts(of: Array(Self.pass.utf8), limits: limits).problems.map(\.kind.code)
                == ["limit-part-size"])
        limits = MIMELimits()
        limits.parameters = 2
        let parameters = "Content-Type: application/x; a=b; c=d; e=f\n\nx"
        #expect(
            try parts(of: Array(parameters.utf8), limits: limits).problems.map(\.kind.code)
                == ["limit-header"])
    }

    // Python's base64 of the message above, and of a message that holds it.
    private static let base64 = """
        U3ViamVjdDogaW5uZXIKQ29udGVudC1UeXBlOiBtdWx0aXBhcnQvbWl4ZWQ7IGJvdW5kYXJ5PSI9
        aT0iCgotLT1pPQoKVGV4dC4KLS09aT0KQ29udGVudC1UeXBlOiBhcHBsaWNhdGlvbi94OyBuYW1l
        PXRpY2tldC5wa3Bhc3MKQ29udGVudC1UcmFuc2Zlci1FbmNvZGluZzogYmFzZTY0CgpVRXNEQkJR
        QUlIQmhlV3h2WVdRTkNrWnliMjBnZEdoeVpXVUtiR2x1WlhNZ1BTQXhNREFnSlNELy9pNEtJUT09
        Ci0tPWk9LS0K
        """

    private static let base64Twice = """
        U3ViamVjdDogeApDb250ZW50LVR5cGU6IG11bHRpcGFydC9taXhlZDsgYm91bmRhcnk9YgoKLS1i
        CgpUZXh0LgotLWIKQ29udGVudC1UeXBlOiBtZXNzYWdlL3JmYzgyMgpDb250ZW50LVRyYW5zZmVy
        LUVuY29kaW5nOiBiYXNlNjQKClUzVmlhbVZqZERvZ2FXNXVaWElLUTI5dWRHVnVkQzFVZVhCbE9p
        QnRkV3gwYVhCaGNuUXZiV2w0WldRN0lHSnZkVzVrWVhKNVBTSTkKYVQwaUNnb3RMVDFwUFFvS1ZH
        VjRkQzRLTFMwOWFUMEtRMjl1ZEdWdWRDMVVlWEJsT2lCaGNIQnNhV05oZEdsdmJpOTRPeUJ1WVcx
        bApQWFJwWTJ0bGRDNXdhM0JoYzNNS1EyOXVkR1Z1ZEMxVWNtRnVjMlpsY2kxRmJtTnZaR2x1Wnpv
        Z1ltRnpaVFkwQ2dwVlJYTkVRa0pSClFVbElRbWhsVjNoMldWZFJUa05yV25saU1qQm5aRWRvZVZw
        WFZVdGlSMngxV2xoTloxQlRRWGhOUkVGblNsTkVMeTlwTkV0SlVUMDkKQ2kwdFBXazlMUzBLCi0t
        Yi0tCg==
        """
}
