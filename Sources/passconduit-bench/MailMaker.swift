import Foundation

/// Makes mail like a person's, the same for the same seed: newsletters, photos, PDFs, forwards and
/// plain text, and in one message of 500 a pass.
struct MailMaker {
    private(set) var messages = 0
    private(set) var passes = 0

    private var random: Random
    /// Passes to put in, as they are.
    private let pool: [[UInt8]]
    /// Lines of base64 that are cut from again and again, since making them takes longer than
    /// writing them.
    private let base64: [UInt8]
    private static let lineLength = 77

    init(seed: UInt64, passes pool: [[UInt8]]) {
        self.pool = pool
        var random = Random(state: seed)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var lines: [UInt8] = []
        for _ in 0..<20_000 {
            for _ in 1..<MailMaker.lineLength { lines.append(digits[random.below(64)]) }
            lines.append(UInt8(ascii: "\n"))
        }
        base64 = lines
        self.random = random
    }

    /// Appends a message; its lines never begin with `From `.
    mutating func append(to mail: inout [UInt8]) {
        messages += 1
        mail += Array(
            """
            Return-Path: <sender\(random.below(500))@example.com>
            Received: from mx.example.com by mail.example.net with ESMTPS id \(random.next())
            Date: Tue, \(1 + random.below(28)) May 2024 10:00:00 +0000
            From: Sender <sender\(random.below(500))@example.com>
            To: Person <person@example.net>
            Message-ID: <\(messages).\(random.next())@example.com>
            Subject: \(words(6))
            MIME-Version: 1.0

            """.utf8)
        if messages % 500 == 250, !pool.isEmpty { return appendPass(to: &mail) }
        switch random.below(100) {
        case 0..<40: appendNewsletter(to: &mail)
        case 40..<47:
            appendFile(to: &mail, "image/jpeg", "photo.jpg", "/9j/4AAQSkZJRg", 1500...14_000)
        case 47..<57:
            appendFile(to: &mail, "application/pdf", "invoice.pdf", "JVBERi0xLjcK", 300...4000)
        case 57..<62: appendForward(to: &mail)
        default: appendText(to: &mail)
        }
    }

    private mutating func appendText(to mail: inout [UInt8]) {
        mail += Array("Content-Type: text/plain; charset=utf-8\n\n".utf8)
        for _ in 0..<(4 + random.below(60)) { mail += Array("\(words(10))\n".utf8) }
    }

    private mutating func appendNewsletter(to mail: inout [UInt8]) {
        let boundary = "=_\(random.next())"
        mail += Array("Content-Type: multipart/alternative; boundary=\"\(boundary)\"\n\n".utf8)
        mail += Array("--\(boundary)\n".utf8)
        appendText(to: &mail)
        mail += Array(
            """
            --\(boundary)
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <html><body>

            """.utf8)
        for _ in 0..<(100 + random.below(500)) {
            mail += Array(
                "<td class=3D\"c\(random.below(99))\"><a href=3D\"https://example.com/\(random.below(9999))\">=\n\(words(4))</a></td>\n"
                    .utf8)
        }
        mail += Array("</body></html>\n--\(boundary)--\n".utf8)
    }

    private mutating func appendFile(
        to mail: inout [UInt8], _ type: String, _ name: String, _ start: String,
        _ lines: ClosedRange<Int>
    ) {
        let boundary = "----=_Part_\(random.next())"
        appendMixed(to: &mail, boundary, type, name)
        mail += Array(start.utf8)
        mail += Array(
            repeating: UInt8(ascii: "A"), count: MailMaker.lineLength - 1 - start.utf8.count)
        mail.append(UInt8(ascii: "\n"))
        let count = lines.lowerBound + random.below(lines.count)
        let first = random.below(base64.count / MailMaker.lineLength - count)
        mail += base64[first * MailMaker.lineLength..<(first + count) * MailMaker.lineLength]
        mail += Array("--\(boundary)--\n".utf8)
    }

    private mutating func appendForward(to mail: inout [UInt8]) {
        let boundary = "forward\(random.next())"
        mail += Array(
            """
            Content-Type: multipart/mixed; boundary=\(boundary)

            --\(boundary)
            Content-Type: message/rfc822

            From: another@example.com
            Subject: \(words(4))
            MIME-Version: 1.0

            """.utf8)
        appendNewsletter(to: &mail)
        mail += Array("--\(boundary)--\n".utf8)
    }

    /// In turn as a pass, as bytes with its name, and as a ZIP archive without any.
    private mutating func appendPass(to mail: inout [UInt8]) {
        let boundary = "pass\(random.next())"
        let forms = [
            ("application/vnd.apple.pkpass", "ticket.pkpass"),
            ("application/octet-stream", "Ticket.PKPASS"), ("application/zip", "ticket.zip"),
        ]
        let (type, name) = forms[passes % forms.count]
        appendMixed(to: &mail, boundary, type, name)
        let pass = Data(pool[passes % pool.count])
        mail += pass.base64EncodedData(options: [.lineLength76Characters, .endLineWithLineFeed])
        mail += Array("\n--\(boundary)--\n".utf8)
        passes += 1
    }

    private mutating func appendMixed(
        to mail: inout [UInt8], _ boundary: String, _ type: String, _ name: String
    ) {
        mail += Array(
            "Content-Type: multipart/mixed; boundary=\"\(boundary)\"\n\n--\(boundary)\n".utf8)
        appendText(to: &mail)
        mail += Array(
            """
            --\(boundary)
            Content-Type: \(type); name="\(name)"
            Content-Transfer-Encoding: base64
            Content-Disposition: attachment; filename="\(name)"


            """.utf8)
    }

    private mutating func words(_ count: Int) -> String {
        let words = [
            "travel", "ticket", "hello", "offer", "the", "of", "meeting", "gate", "we", "see",
        ]
        return (0..<count).map { _ in words[random.below(words.count)] }.joined(separator: " ")
    }
}

/// SplitMix64: the same numbers on every machine.
struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
