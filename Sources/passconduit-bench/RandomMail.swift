/// Typical personal mail, determined by the seed: newsletters, photos, PDFs, office files, replies,
/// forwards and plain text; four fifths of the bytes are base64.
struct RandomMail {
    /// The output since the last `take`.
    private(set) var bytes: [UInt8] = []
    /// The number of messages begun.
    private(set) var messages = 0
    private var random: Random
    private let pools: MailPools

    init(seed: UInt64) {
        // A separate generator for the pools keeps the messages independent of it.
        var random = Random(state: seed ^ 0x5EED)
        pools = MailPools(&random)
        self.random = Random(state: seed)
    }

    /// Counts a message, whose parts the caller appends.
    mutating func beginMessage() { messages += 1 }

    /// Appends a message of a random kind.
    mutating func appendMessage() {
        let kind = Kind(random.below(100))
        appendHeader(isList: kind.isList)
        appendBody(kind)
    }

    /// Returns and clears the output.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func append(_ text: String) { bytes += text.utf8 }

    mutating func append(_ bytes: [UInt8]) { self.bytes += bytes }

    mutating func append(_ count: Int, of lines: KeyPath<MailPools, LinePool>) {
        pools[keyPath: lines].append(count, to: &bytes, &random)
    }

    /// A random size: usually small, occasionally large.
    mutating func size(_ range: ClosedRange<Int>) -> Int { random.size(range) }

    /// A number of words of 16 hexadecimal digits.
    private mutating func hexadecimal(_ words: Int) -> String {
        (0..<words).map { _ in String(random.next(), radix: 16) }.joined()
    }
}

/// The header of a message after several hops: 25 to 80 lines.
extension RandomMail {
    mutating func appendHeader(isList: Bool) {
        let sender = random.below(500)
        let host = "mail\(random.below(40)).example\(random.below(9)).com"
        let bounce = isList ? "bounce-\(hexadecimal(4))" : "sender\(sender)"
        append("Return-Path: <\(bounce)@\(host)>\nDelivered-To: person@example.net\n")
        for hop in 0..<(2 + random.below(5)) {
            append(
                """
                Received: from \(host) (\(host) [203.0.113.\(random.below(255))])
                        by mx\(hop).example.net (Postfix) with ESMTPS id \(hexadecimal(2))
                        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);
                        Tue, \(day) May 2024 10:0\(9 - hop):\(10 + random.below(50)) +0000 (UTC)

                """)
        }
        if random.below(3) > 0 {
            append("ARC-Seal: i=1; a=rsa-sha256; t=17150\(random.below(99_999)); cv=none;\n")
            appendTokens(5)
            appendSignature("ARC-Message-Signature: i=1;", host)
        }
        append(
            """
            Received-SPF: pass (example.net: domain of \(bounce)@\(host) designates 203.0.113.7 as
                    permitted sender) client-ip=203.0.113.7;
            Authentication-Results: mx.example.net; dkim=pass header.i=@\(host)
                    header.s=s\(random.below(9)) header.b=\(hexadecimal(1)); spf=pass
                    smtp.mailfrom=\(bounce)@\(host); dmarc=pass (p=REJECT sp=REJECT dis=NONE)

            """)
        for _ in 0...random.below(2) { appendSignature("DKIM-Signature: v=1;", host) }
        append("X-Spam-Status: No, score=-\(random.below(5)).1 required=5.0 tests=DKIM_SIGNED,\n")
        append("\tDKIM_VALID,HTML_MESSAGE,RCVD_IN_DNSWL_NONE,SPF_PASS autolearn=ham\n")
        isList ? appendListFields(host) : appendThreadFields(host)
        append(
            """
            Date: Tue, \(day) May 2024 10:00:00 +0000
            From: "Sender \(sender)" <sender\(sender)@example.com>
            To: Person <person@example.net>
            Message-ID: <\(messages).\(hexadecimal(2))@example.com>
            Subject: \(subject)
            MIME-Version: 1.0

            """)
    }

    private mutating func appendSignature(_ start: String, _ host: String) {
        append(
            """
            \(start) a=rsa-sha256; c=relaxed/relaxed; d=\(host); s=s1;
                    h=from:to:subject:date:message-id:mime-version:content-type:list-unsubscribe;
                    bh=\(hexadecimal(2)); b=

            """)
        appendTokens(5)
    }

    private mutating func appendTokens(_ count: Int) {
        for _ in 0..<count { append("         \(random.one(of: pools.tokens))\n") }
    }

    private mutating func appendListFields(_ host: String) {
        append(
            """
            List-ID: <news.\(host)>
            List-Unsubscribe: <https://\(host)/unsubscribe/\(hexadecimal(4))>,
                <mailto:unsubscribe-\(hexadecimal(2))@\(host)?subject=unsubscribe>
            List-Unsubscribe-Post: List-Unsubscribe=One-Click
            Feedback-ID: \(random.below(9999)):\(random.below(9999)):campaign:sender
            Precedence: bulk

            """)
        for number in 0..<random.below(12) {
            append("X-Campaign-\(number): \(random.one(of: pools.tokens))\n")
        }
    }

    private mutating func appendThreadFields(_ host: String) {
        let thread = (0..<random.below(12)).map { "\n <\($0).\(hexadecimal(2))@\(host)>" }
        if let last = thread.last { append("In-Reply-To:\(last)\nReferences:\(thread.joined())\n") }
        let others = (0..<random.below(7)).map { "\n \"Person \($0)\" <p\($0)@example.org>" }
        if !others.isEmpty { append("Cc:\(others.joined(separator: ","))\n") }
        append("User-Agent: Mail/5.\(random.below(99))\nX-Originating-IP: [198.51.100.7]\n")
    }

    private var day: Int { 1 + messages % 28 }

    private var subject: String {
        mutating get {
            let words = MailPools.words(3 + random.below(6), &random)
            let encoded = TransferEncoding.base64(words.utf8).dropLast(1)
            return random.below(4) > 0
                ? words : "=?UTF-8?B?\(String(decoding: encoded, as: UTF8.self))?="
        }
    }
}

/// The bodies and their frequencies.
extension RandomMail {
    private enum Kind: CaseIterable {
        case text, reply, notice, newsletter, encodedNewsletter, photo, document, office, calendar
        case forward, signed

        /// In percent of messages.
        var share: Int {
            switch self {
            case .text: 24
            case .reply: 23
            case .notice: 16
            case .newsletter: 3
            case .encodedNewsletter: 13
            case .photo: 6
            case .document: 7
            case .office: 2
            case .calendar: 2
            case .forward: 3
            case .signed: 1
            }
        }

        var isList: Bool { [.notice, .newsletter, .encodedNewsletter].contains(self) }

        /// - Parameter number: 0 to 99.
        init(_ number: Int) {
            var left = number
            self =
                Kind.allCases.first { kind in
                    left -= kind.share
                    return left < 0
                } ?? .text
        }
    }

    /// Appends the Content-Type field and everything after it.
    private mutating func appendBody(_ kind: Kind) {
        switch kind {
        case .text: appendText(random.size(200...6000))
        case .reply: appendReply()
        case .notice: appendAlternatives(html: random.size(3000...20_000), encoded: false)
        case .newsletter: appendAlternatives(html: random.size(30_000...150_000), encoded: false)
        case .encodedNewsletter:
            appendAlternatives(html: random.size(30_000...150_000), encoded: true)
        case .photo:
            appendMixed("image/jpeg", "IMG_\(random.below(9999)).jpg") {
                $0.append(
                    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8S\n")
                $0.append($0.random.size(60_000...1_000_000), of: \.base64)
            }
        case .document:
            appendMixed("application/pdf", "invoice \(random.below(9999)).pdf") {
                $0.append(
                    "JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2cvUGFnZXMgMiAwIFI+Pgpl\n")
                $0.append($0.random.size(20_000...400_000), of: \.base64)
            }
        case .office:
            let type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            appendMixed(type, "Report.docx") { $0.append($0.random.one(of: $0.pools.documents)) }
        case .calendar: appendCalendar()
        case .forward:
            appendParts("multipart/mixed") {
                $0.append("Content-Type: message/rfc822\n\n")
                $0.appendHeader(isList: true)
                $0.appendAlternatives(html: $0.random.size(5000...60_000), encoded: false)
            }
        case .signed: appendSigned()
        }
    }

    mutating func appendText(_ count: Int) {
        append("Content-Type: text/plain; charset=UTF-8; format=flowed\n")
        append("Content-Transfer-Encoding: 8bit\n\n")
        append(count, of: \.text)
    }

    private mutating func appendReply() {
        append("Content-Type: text/plain; charset=\"utf-8\"\n")
        if random.below(5) == 0 {
            append("Content-Transfer-Encoding: base64\n\n")
            return append(random.size(500...12_000), of: \.textInBase64)
        }
        append("Content-Transfer-Encoding: 8bit\n\n")
        append(random.size(80...2000), of: \.text)
        append("\nOn Tue, 7 May 2024 at 10:00, Person <person@example.net> wrote:\n")
        append(random.size(300...10_000), of: \.quoted)
        append("\n-- \nSender\nhttps://www.example.com\n")
    }

    mutating func appendAlternatives(html count: Int, encoded: Bool) {
        appendParts("multipart/alternative") {
            $0.appendText($0.random.size(300...5000))
        } _: {
            $0.append("Content-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: ")
            $0.append(encoded ? "base64\n\n" : "quoted-printable\n\n")
            $0.append(encoded ? count / 57 * 77 : count, of: encoded ? \.htmlInBase64 : \.html)
        }
    }

    private mutating func appendCalendar() {
        appendParts("multipart/mixed") {
            $0.appendText(600)
        } _: {
            $0.append("Content-Type: text/calendar; charset=utf-8; method=REQUEST\n\n")
            $0.append("BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\nBEGIN:VEVENT\n")
            for person in 0..<($0.random.size(2...80)) {
                $0.append(
                    "ATTENDEE;CN=\"Person \(person)\";RSVP=TRUE:mailto:p\(person)@example.org\n")
            }
            $0.append("DTSTART:20240507T100000Z\nEND:VEVENT\nEND:VCALENDAR\n")
        }
    }

    private mutating func appendSigned() {
        let signature = "application/pkcs7-signature; name=\"smime.p7s\""
        appendParts("multipart/signed; protocol=\"application/pkcs7-signature\"; micalg=sha-256") {
            $0.appendText($0.random.size(300...5000))
        } _: {
            $0.append("Content-Type: \(signature)\nContent-Transfer-Encoding: base64\n\n")
            $0.append(5000, of: \.base64)
        }
    }

    /// Appends a multipart/mixed with a text and an encoded file.
    mutating func appendMixed(
        _ type: String, _ name: String, encoding: String = "base64",
        _ content: @escaping (inout RandomMail) -> Void
    ) {
        appendParts("multipart/mixed") {
            $0.appendText($0.random.size(100...2000))
        } _: {
            $0.append("Content-Type: \(type);\n\tname=\"\(name)\"\n")
            $0.append("Content-Description: \(name)\nContent-Disposition: attachment;\n")
            $0.append("\tfilename=\"\(name)\"\nContent-Transfer-Encoding: \(encoding)\n\n")
            content(&$0)
        }
    }

    mutating func appendParts(_ type: String, _ parts: ((inout RandomMail) -> Void)...) {
        let boundary = "_000_\(hexadecimal(2))_"
        append("Content-Type: \(type);\n\tboundary=\"\(boundary)\"\n\n")
        for part in parts {
            append("--\(boundary)\n")
            part(&self)
        }
        append("\n--\(boundary)--\n")
    }
}
