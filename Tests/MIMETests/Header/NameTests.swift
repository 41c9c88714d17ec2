import Testing

@Suite("A file name is found however its sender wrote it")
struct NameTests {
    @Test(arguments: parameters)
    func parameter(_ row: (fields: String, name: String)) throws {
        let fields = row.fields + "\nContent-Transfer-Encoding: base64"
        try Row(row.fields, message(fields), number: "2", name: row.name).check()
    }

    static let parameters: [(fields: String, name: String)] = [
        ("Content-Type: application/x; name=\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Disposition: attachment; filename=\"ticket.pkpass\"", "ticket.pkpass"),
        ("CONTENT-TYPE:APPLICATION/X;NAME=\"Ticket.PKPass\"", "Ticket.PKPass"),
        ("Content-Type : application/x ; name = ticket.pkpass", "ticket.pkpass"),
        ("Content-Type:\n application/x;\n\tname=\n \"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"tick\n et.pkpass\"", "tick et.pkpass"),
        ("Content-Type: application/x name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Type: name=\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: ; name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Disposition: filename=ticket.pkpass", "ticket.pkpass"),
        ("Content-Disposition: attachment; name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Type: application/x; filename=ticket.pkpass", "ticket.pkpass"),
        ("Content-Description: ticket.pkpass", "ticket.pkpass"),
        ("Content-Location: https://example.com/a/ticket.pkpass", "ticket.pkpass"),
        // RFC 2231.
        ("Content-Type: application/x; name*=utf-8''t%C3%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: application/x; name*=iso-8859-1'fr't%EFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: application/x; name*=\"utf-8''ticket%2Epkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name*=koi8-r''%C2%C9%CC%C5%D4.pkpass", "билет.pkpass"),
        (
            "Content-Disposition: attachment; filename*0=tick;\n filename*1=\"et.pk\"; filename*2=pass",
            "ticket.pkpass"
        ),
        (
            "Content-Disposition: attachment; filename*2=pass; filename*0=tick; filename*1=et.pk",
            "ticket.pkpass"
        ),
        (
            "Content-Disposition: attachment; filename*1*=%AFcket; filename*0*=utf-8''t%C3;"
                + " filename*2=.pkpass", "tïcket.pkpass"
        ),
        (
            "Content-Disposition: attachment; filename*00=tick; filename*01=et.pkpass",
            "ticket.pkpass"
        ),
        (
            "Content-Disposition: attachment; filename*1=tick; filename*2=et.pkpass",
            "ticket.pkpass"
        ),
        ("Content-Disposition: attachment; filename*0=a.pkpass; filename*0=b.txt", "a.pkpass"),
        ("Content-Disposition: attachment; filename*0=a.txt; filename*0=b.pkpass", "b.pkpass"),
        ("Content-Disposition: attachment; filename=t.pdf; filename*=utf-8''t.pkpass", "t.pkpass"),
        ("Content-Disposition: attachment; filename=t.pkpass; filename*=utf-8''t.pdf", "t.pkpass"),
        // RFC 2047.
        ("Content-Type: application/x; name=\"=?utf-8?B?dMOvY2tldC5wa3Bhc3M=?=\"", "tïcket.pkpass"),
        ("Content-Type: application/x; name==?utf-8?B?dMOvY2tldC5wa3Bhc3M=?=", "tïcket.pkpass"),
        ("Content-Type: application/x; name==?utf-8?Q?t=C3=AFcket_a.pkpass?=", "tïcket a.pkpass"),
        ("Content-Type: application/x; name=\"=?utf-8?Q?my ticket.pkpass?=\"", "my ticket.pkpass"),
        ("Content-Type: application/x; name==?utf-8?Q?my ticket.pkpass?=", "my ticket.pkpass"),
        (
            "Content-Type: application/x; name=\"=?utf-8?q?t=C3?=\n =?utf-8?q?=AFcket.pkpass?=\"",
            "tïcket.pkpass"
        ),
        (
            "Content-Type: application/x; name=\"=?utf-8?q?tic?= =?iso-8859-1?q?ket.pkpass?=\"",
            "ticket.pkpass"
        ),
        ("Content-Type: application/x; name=\"=?utf-8?q?tic?=ket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"=?utf-8*en?q?ticket.pkpass?=\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"=?x-unheard-of?q?ticket.pkpass?=\"", "ticket.pkpass"),
        (
            "Content-Type: application/x; name*0=\"=?utf-8?Q?tic\"; name*1=\"ket.pkpass?=\"",
            "ticket.pkpass"
        ),
        (
            "Content-Type: application/x; name=\"a =?utf-8?q?unfinished ticket.pkpass\"",
            "a =?utf-8?q?unfinished ticket.pkpass"
        ),
        // RFC 2231 misread.
        ("Content-Type: a/b; name*=utf-8''\"t%C3%AFcket.pkpass\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name*=utf-8''t%25C3%25AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*=utf-8't%C3%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*=utf-8\"\"t%C3%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*=t%C3%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*=''t%C3%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name *= utf-8''t%C3%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name=utf-8''t%C3%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name=\"t%C3%AFcket.pkpass\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name=\"t%C3%AFcket.pkpass\"", "t%C3%AFcket.pkpass"),
        ("Content-Type: a/b; name=\"100% ticket.pkpass\"", "100% ticket.pkpass"),
        ("Content-Type: a/b; name*=utf-8''=?utf-8?Q?t=C3=AFcket.pkpass?=", "tïcket.pkpass"),
        ("Content-Type: a/b; name*0*=utf-8''t%C3; name*1=%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*0=utf-8''t%C3; name*1=%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*0*=utf-8''t%C3\n name*1*=%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*0*=utf-8''t%C3,\n name*1*=%AFcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: a/b; name*0=a; name*3=b.pkpass", "ab.pkpass"),
        // One half of RFC 2047; dMOvY2tldC5wa3Bhc3M= is tïcket.pkpass.
        (
            "Content-Type: a/b; name=\"=?utf-8?B?dMOvY2?= =?utf-8?B?tldC5wa3Bhc3M=?=\"",
            "tïcket.pkpass"
        ),
        (
            "Content-Type: a/b; name=\"=?utf-8?B?dMOvY2tl?= =?utf-8?B?dC5wa3Bhc3M?=\"",
            "tïcket.pkpass"
        ),
        (
            "Content-Type: a/b; name=\"=?utf-8?B?dMM?= =?utf-8?B?r2NrZXQucGtwYXNz?=\"",
            "tïcket.pkpass"
        ),
        ("Content-Type: a/b; name=\"=?utf-8?B?dMOvY2tldC5wa3Bhc3M=\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name=\"=?utf-8?B?dMOvY2tldC5wa3Bhc3M=?\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name=\"=?utf-8?Q?t=C3=AFcket.pkpass\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name=\"=?utf-8?B?dMOvY2tl dC5wa3Bhc3M=?=\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name=\"=?utf-8?B?dMOvY2tl\ndC5wa3Bhc3M=?=\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name=\"=?utf-8?Q?t=C3=AF=\n cket.pkpass?=\"", "tïcket.pkpass"),
        ("Content-Type: a/b; name==?utf-8?Q?a;b.pkpass?=; c=d", "a;b.pkpass"),
        ("Content-Type: a/b; name=\"=?utf-8?Q?=3D=3Futf-8=3FQ=3Fa.pkpass=3F=3D?=\"", "a.pkpass"),
        ("Content-Type: =?utf-8?Q?a/b;_name=3D\"ticket.pkpass\"?=", "ticket.pkpass"),
        ("Content-Type: a/b; =?utf-8?Q?name=3Dticket.pkpass?=", "ticket.pkpass"),
        ("Content-Type: a/b; name=\"\u{1B}$B%\"%\\\u{1B}(B.pkpass\"", "アボ.pkpass"),
        // Lines folded in violation of every standard.
        ("Content-Type\n : a/b; name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Type: a/b;\nname=\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: a/b; name=\n\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: a/b; name=\"tick\net.pkpass\"", "ticket.pkpass"),
        ("Content-Type: a/b; name=\"ticket.pk\n\tpass\"", "ticket.pkpass"),
        ("Content-Type: a/b\nname=\"a:b.pkpass\"", "a:b.pkpass"),
        ("Content-Type: a/b;\n \n name=ticket.pkpass", "ticket.pkpass"),
        (" Content-Type: a/b; name=ticket.pkpass", "ticket.pkpass"),
        ("\u{FEFF}Content-Type: a/b; name=ticket.pkpass", "ticket.pkpass"),
        ("X-Y: z\rContent-Type: a/b; name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Type: a/b;\u{A0}name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Type:: a/b; name=ticket.pkpass", "ticket.pkpass"),
        // With quotes, and without.
        ("Content-Type: application/x; name=tïcket.pkpass", "tïcket.pkpass"),
        ("Content-Type: application/x; name=my first ticket.pkpass", "my first ticket.pkpass"),
        ("Content-Type: application/x; name=my ticket.pkpass; x=y", "my ticket.pkpass"),
        ("Content-Type: application/x; name=ticket(1).pkpass", "ticket(1).pkpass"),
        ("Content-Type: application/x; name=\"ticket.pkpass", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"my ticket.pkpass; x=y", "my ticket.pkpass"),
        ("Content-Type: application/x; name=\"ticket.pkpass; charset=\"utf-8\"", "ticket.pkpass"),
        (
            "Content-Type: application/x; name=\"my \"first\" ticket.pkpass\"",
            "my \"first\" ticket.pkpass"
        ),
        (
            "Content-Type: application/x; name=\"my \"first\" ticket.pkpass\"; x=\"y\"",
            "my \"first\" ticket.pkpass"
        ),
        ("Content-Type: application/x; name=\"\"ticket.pkpass\"\"", "ticket.pkpass"),
        ("Content-Type: application/x; name='ticket.pkpass'", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"'ticket.pkpass'\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=<ticket.pkpass>", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"a\\\"b.pkpass\"", "a\"b.pkpass"),
        ("Content-Type: application/x; name=\"a;b.pkpass\"", "a;b.pkpass"),
        ("Content-Type: application/x; name=\"a=b.pkpass\"", "a=b.pkpass"),
        ("Content-Type: application/x; name=a=b.pkpass", "a=b.pkpass"),
        ("Content-Type: application/x; name=a=b c.pkpass", "a=b c.pkpass"),
        ("Content-Type: application/x; name=\"ticket.pkpass\" x=y", "ticket.pkpass"),
        ("Content-Type: application/x; charset=\"utf-8\" name=\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; x=\"y\", name=\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x, name=\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x;;; name=ticket.pkpass;", "ticket.pkpass"),
        ("Content-Type: application/x;=; ==y;= ;name=ticket.pkpass", "ticket.pkpass"),
        // Folders, and suffixes of names.
        ("Content-Type: application/x; name=\"C:\\passes\\ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"\\\\host\\passes\\ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"/tmp/../passes/ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"ticket.pkpass. . \"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\" ticket.pkpass\t\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"tic\0ket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"ticket.pkpass;\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=“ticket.pkpass”", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"\u{202A}ticket.pkpass\u{202C}\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\"ticket.pkpass\u{A0}\u{200B}\"", "ticket.pkpass"),
        ("Content-Type: application/x; name=\\\"ticket.pkpass\\\"", "ticket.pkpass"),
        // Comments.
        ("Content-Type: (c) application/x (c); (c) name=\"ticket.pkpass\" (c)", "ticket.pkpass"),
        ("Content-Type: application/x; name=(c)\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name(c)=\"ticket.pkpass\"", "ticket.pkpass"),
        ("Content-Type: application/x; name (c) = ticket.pkpass (c)", "ticket.pkpass"),
        ("Content-Type: application/x (a (nested \\) one;)); name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Type: application/x ((((; name=ticket.pkpass", "ticket.pkpass"),
        ("Content-Type: application/x (c; name=ticket.pkpass", "ticket.pkpass"),
        // A name given twice.
        ("Content-Type: application/x; name=a.pdf; name=b.pkpass", "b.pkpass"),
        ("Content-Type: application/x; name=a.pkpass; name=b.pdf", "a.pkpass"),
        (
            "Content-Type: application/x; name=a.pdf\nContent-Type: text/plain; name=b.pkpass",
            "b.pkpass"
        ),
        (
            "Content-Type: application/x; name=a.pkpass\nContent-Type: text/plain; name=b.pdf",
            "a.pkpass"
        ),
        (
            "Content-Disposition: inline\nContent-Disposition: attachment; filename=b.pkpass",
            "b.pkpass"
        ),
    ]

    @Test func rawBytesOfNoDeclaredSet() throws {
        let latin1 = Array("name=\"t".utf8) + [0xEF] + Array("cket.pkpass\"".utf8)
        let plain = message("Content-Type: a/b; @\nContent-Transfer-Encoding: base64")
        let bytes = plain.utf8.flatMap { $0 == UInt8(ascii: "@") ? latin1 : [$0] }
        try Row("raw latin-1", bytes, number: "2", name: "tïcket.pkpass").check()
    }
}
