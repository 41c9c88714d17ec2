/// The bodies of typical personal mail and their frequencies; four fifths of the bytes are base64.
extension MailMaker {
    enum Kind: CaseIterable {
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
    }

    static func kind(_ number: Int) -> Kind {
        var left = number
        for kind in Kind.allCases {
            left -= kind.share
            if left < 0 { return kind }
        }
        return .text
    }

    /// Appends the Content-Type field and everything after it.
    mutating func appendBody(_ kind: Kind) {
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
        _ content: @escaping (inout MailMaker) -> Void
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

    mutating func appendParts(_ type: String, _ parts: ((inout MailMaker) -> Void)...) {
        let boundary = "_000_\(hexadecimal(2))_"
        append("Content-Type: \(type);\n\tboundary=\"\(boundary)\"\n\n")
        for part in parts {
            append("--\(boundary)\n")
            part(&self)
        }
        append("\n--\(boundary)--\n")
    }
}
