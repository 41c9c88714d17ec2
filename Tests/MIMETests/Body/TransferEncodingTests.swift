import Testing

@Suite("A body is decoded even if its encoding is declared or written wrongly")
struct TransferEncodingTests {
    private static let wrapped =
        "UEsDBBQAIHBheWxv\nYWQNCkZyb20gdGhy\nZWUKbGluZXMgPSAx\nMDAgJSD//i4KIQ==\n"

    @Test(arguments: [
        "Content-Transfer-Encoding: base64", "content-transfer-encoding:BASE64",
        "Content-Transfer-Encoding: (c) base64", "Content-Transfer-Encoding: base64 (c)",
        "Content-Transfer-Encoding: \"base64\"", "Content-Transfer-Encoding: base64;",
        "Content-Transfer-Encoding:\n base64", "Content-Transfer-Encoding: \n\tbase64",
        "Content-Transfer-Encoding : base64", "Content-Transfer-Encoding: Base-64",
        "Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: base64",
        "Content-Transfer-Encoding: base64\nContent-Transfer-Encoding: 7bit",
        "Content-Transfer-Encoding: 7bit", "X-Nothing: of interest",
    ])
    func base64(field: String) throws {
        try Row(field, message(field, Self.wrapped), number: "2").check()
    }

    @Test(arguments: base64BodyRows)
    func base64Body(_ row: (title: String, body: String)) throws {
        let fields = "Content-Type: application/x\nContent-Transfer-Encoding: base64"
        try Row(row.title, message(fields, row.body), number: "2").check()
    }

    static let base64BodyRows: [(title: String, body: String)] = [
        ("on one line", Payload.base64 + "\n"),
        ("on one line without an end", Payload.base64),
        ("four to a line", Self.lines(of: 4)), ("a digit to a line", Self.lines(of: 1)),
        ("seven to a line", Self.lines(of: 7)),
        ("without padding", Self.wrapped.filter { $0 != "=" }),
        ("with half the padding", String(Self.wrapped.dropLast(2)) + "\n"),
        ("behind blank lines", "\n \n\n" + Self.wrapped),
        ("with blank lines between", Self.wrapped.replacing("\n", with: "\n\n")),
        ("with spaces around", Self.wrapped.replacing("\n", with: " \t\n  ")),
        ("with carriage returns", Self.wrapped.replacing("\n", with: "\r\r\n")),
        ("with exclamation marks", Self.wrapped.replacing("\n", with: "!\n")),
        ("before a footer", Self.wrapped + "\n--\nThis list is run by nobody.\n"),
        ("before a footer of one word", Self.wrapped + "Unsubscribe\n"),
    ]

    /// Bodies that are recognised as candidates only by their bytes.
    @Test(arguments: [
        wrapped, lines(of: 4), lines(of: 7), lines(of: 1), "Attachment\n" + wrapped,
        "Ticket\n" + wrapped, "UEs=\nAwQ=\n" + wrapped,
    ])
    func kept(body: String) throws {
        let fields = "Content-Type: application/x\nContent-Transfer-Encoding: base64"
        #expect(
            try !parts(of: Array(message(fields, body).utf8), isOfInterest: { _ in false }).parts
                .isEmpty)
    }

    /// A film whose first line was ended early by its encoder.
    @Test func notKept() throws {
        let fields = "Content-Type: video/quicktime\nContent-Transfer-Encoding: base64"
        let body =
            "AAAAFGZ0eXBxdCAgAAAAAHF0ICAA\n"
            + String(
                repeating: String(repeating: "A", count: 76) + "\n", count: 9)
        #expect(
            try parts(of: Array(message(fields, body).utf8), isOfInterest: { _ in false }).parts
                .isEmpty)
    }

    private static func lines(of width: Int) -> String {
        var lines = ""
        for (index, digit) in Payload.base64.enumerated() {
            lines.append(digit)
            if index % width == width - 1 { lines += "\n" }
        }
        return lines + "\n"
    }

    @Test("a body that begins like a tar archive, whatever the size of the reader's buffer")
    func bufferSizes() throws {
        // "name.txt" and 592 zeros: a name, but no checksum.
        let lines =
            ["bmFtZS50eHQ" + String(repeating: "A", count: 65)]
            + Array(repeating: String(repeating: "A", count: 76), count: 9)
            + [String(repeating: "A", count: 40)]
        let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: base64"
        let bytes = Array(message(fields, lines.joined(separator: "\n")).utf8)
        let whole = try parts(of: bytes, isOfInterest: { _ in false })
        for size in 100...2000 {
            let found = try parts(of: bytes, bufferSize: size, isOfInterest: { _ in false })
            #expect(found == whole, "\(size) bytes")
        }
    }

    /// Decodings other than the first.
    @Test(arguments: laterReadingRows)
    func laterReading(_ row: (title: String, body: String)) throws {
        let fields = "Content-Type: application/x\nContent-Transfer-Encoding: base64"
        let found = try readings(of: Array(message(fields, row.body).utf8), number: "2")
        #expect(found.contains(Payload.bytes) || row.title.hasPrefix("pieces"))
        if row.title.hasPrefix("pieces") {
            #expect(found.contains { $0.starts(with: [0x50, 0x4B]) && $0.count > 13 })
        }
    }

    static let laterReadingRows: [(title: String, body: String)] = [
        (
            "lines of junk",
            "-- banner of a gateway! --\n"
                + Self.wrapped.replacing(
                    "\nZ", with: "\n[this is no base64]\nZ")
        ),
        (
            "pieces with padding",
            "UEs=\nDBBQAIHBheWxvYWQ=\nDQpGcm9tIHRocmVlCmxpbmVzID0gMTAwICUg//4uCiE="
        ),
    ]

    @Test(arguments: quotedPrintableRows)
    func quotedPrintable(_ row: (encoding: String, body: String)) throws {
        let fields = "Content-Type: application/x\nContent-Transfer-Encoding: \(row.encoding)"
        try Row(row.encoding, message(fields, row.body), number: "2").check()
    }

    static let quotedPrintableRows: [(encoding: String, body: String)] = [
        ("quoted-printable", Payload.quotedPrintable),
        ("QUOTED-PRINTABLE", Payload.quotedPrintable.replacing("three", with: "th=\nree")),
        ("quotedprintable", Payload.quotedPrintable.replacing("three", with: "th=  \nree")),
        ("Quoted-Printable;", Payload.quotedPrintable.replacing("=0D=0A", with: "=0d=0a")),
        ("7bit", Payload.quotedPrintable),
        ("quoted-printable", "=50=4B" + Payload.quotedPrintable.dropFirst(2)),
        ("quoted-printable", "P=4B" + Payload.quotedPrintable.dropFirst(2)),
        (
            "quoted-printable",
            "PK=03=04=14=00=\n payload=0D=0AFrom=20three=0Alines=20=3D 100 % =FF=FE.=0A!"
        ),
    ]

    @Test(arguments: ["binary", "8bit", "x-unheard-of", "\"binary\""])
    func identity(encoding: String) throws {
        // The payload contains CRLF itself, so the row has only one form.
        let fields = "Content-Type: application/x\nContent-Transfer-Encoding: \(encoding)"
        let lines = message(fields, "@", replacing: Payload.bytes)
        let found = try parts(of: lines)
        #expect(found.parts.last?.bytes == Payload.bytes)
    }

    @Test func mailboxesQuoteFromLines() throws {
        let body = "PK\u{3}\u{4}\n>From a\n>>From b\nFrom"
        let found = try readings(
            of: Array(message("Content-Type: application/x", body).utf8), number: "2",
            isInMbox: true)
        #expect(found.contains(Array("PK\u{3}\u{4}\nFrom a\n>From b\nFrom".utf8)))
        #expect(found.contains(Array(body.utf8)))
    }

    @Test(arguments: ["uuencode", "x-uuencode", "X-UUE", "uue", "7bit"])
    func uuencode(encoding: String) throws {
        let fields = "Content-Type: application/x\nContent-Transfer-Encoding: \(encoding)"
        try Row(encoding, message(fields, Payload.uuencoded), number: "2").check()
        try Row(encoding, message(fields, "\n" + Payload.uuencoded + "\nBye.\n"), number: "2")
            .check()
        let stripped = Payload.uuencoded.replacing("!(0  \n", with: "!(0\n")
        try Row(encoding, message(fields, stripped), number: "2").check()
        let cut = Payload.uuencoded.replacing("`\nend\n", with: "")
        try Row(encoding, message(fields, cut), number: "2").check()
    }

    @Test func yEncAsEncoding() throws {
        for encoding in ["x-yenc", "yEnc", "binary"] {
            let fields = "Content-Type: application/x\nContent-Transfer-Encoding: \(encoding)"
            let lines = message(fields, "@", replacing: Payload.yEncoded)
            try Row(encoding, lines, number: "2").check()
        }
    }
}
