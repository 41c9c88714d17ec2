import Foundation

/// Writes typical personal mail to files, determined by the seed, with a pass in one message of
/// `interval`. Each function returns the number of bytes written.
struct MailMaker {
    private(set) var passes = 0
    private var messagesWithPasses = 0
    private var mail: RandomMail
    /// The passes to attach.
    private let pool: [[UInt8]]
    private let interval: Int

    /// - Parameter interval: One message in this many contains a pass: the middle one.
    init(seed: UInt64, passes pool: [[UInt8]], interval: Int) {
        self.pool = pool
        self.interval = interval
        mail = RandomMail(seed: seed)
    }

    var messages: Int { mail.messages }

    /// Writes an mbox; a shorter one is a prefix of a longer one.
    mutating func writeMbox(_ count: Int, to file: URL) throws -> Int {
        try write(to: file) { maker, write in
            var written = 0
            while written + maker.mail.bytes.count < count {
                maker.mail.append("From sender@example.com Tue May  7 10:00:00 2024\n")
                maker.appendMessage()
                maker.mail.append("\n")
                if maker.mail.bytes.count > 1 << 20 { written += try write(maker.mail.take()) }
            }
        }
    }

    mutating func writeMaildir(_ count: Int, to folder: URL) throws -> Int {
        for name in ["cur", "new", "tmp"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        var written = 0
        for index in 0..<count {
            appendMessage()
            let name = "cur/17150760\(String(format: "%06d", index)).M1P1.host:2,S"
            let message = mail.take()
            try Data(message).write(to: folder.appendingPathComponent(name))
            written += message.count
        }
        return written
    }

    mutating func writeLongMessage(_ count: Int, to file: URL) throws -> Int {
        try write(to: file) { maker, write in
            maker.mail.beginMessage()
            maker.mail.appendHeader(isList: false)
            maker.mail.append("Content-Type: multipart/mixed; boundary=outer\n\n--outer\n")
            maker.mail.append("Content-Type: video/quicktime; name=film.mov\n")
            maker.mail.append("Content-Transfer-Encoding: base64\n\n")
            maker.mail.append(
                "AAAAFGZ0eXBxdCAgAAAAAHF0ICAAAAAAV2lkZQABAAAAAW1kYXQAAAAAAAAAAAAAAAAAAAAAAAAA\n")
            var written = 0
            while written < count {
                maker.mail.append(1 << 20, of: \.base64)
                written += try write(maker.mail.take())
            }
            maker.mail.append("--outer\n")
            maker.mail.appendPart(with: maker.nextPass())
            maker.mail.append("\n--outer--\n")
        }
    }

    /// Writes lines of JSON as the Gmail API has them, with a pass in one of 100,000 messages.
    mutating func writeExport(_ count: Int, to file: URL) throws -> Int {
        try write(to: file) { maker, write in
            var lines: [UInt8] = []
            for number in 0..<count {
                maker.mail.beginMessage()
                if number % 100_000 == 50_000 {
                    maker.appendMessageWithPass()
                } else {
                    maker.mail.append("From: sender@example.com\nSubject: Message \(number)\n")
                    maker.mail.appendText(100)
                }
                lines += "{\"id\":\"\(number)\",\"raw\":\"".utf8
                lines += TransferEncoding.base64URL(maker.mail.take())
                lines += "\"}\n".utf8
                guard lines.count > 1 << 20 || number == count - 1 else { continue }
                _ = try write(lines)
                lines.removeAll(keepingCapacity: true)
            }
        }
    }

    mutating func writeLetter(hasPass: Bool, to file: URL) throws -> Int {
        let pass = hasPass ? nextPass() : nil
        return try write(to: file) { maker, _ in
            maker.mail.beginMessage()
            maker.mail.appendHeader(isList: false)
            maker.mail.appendParts("multipart/mixed") {
                $0.appendAlternatives(html: hasPass ? 45_000 : 52_000, encoded: false)
            } _: {
                if let pass { $0.appendPart(with: pass) } else { $0.appendText(2000) }
            }
        }
    }

    /// Writes the pass of the letter.
    mutating func writePass(to file: URL) throws -> Int {
        let pass = nextPass()
        try Data(pass).write(to: file)
        return pass.count
    }

    private mutating func write(
        to file: URL, _ body: (inout MailMaker, ([UInt8]) throws -> Int) throws -> Void
    ) throws -> Int {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var total = 0
        func write(_ mail: [UInt8]) throws -> Int {
            try handle.write(contentsOf: mail)
            total += mail.count
            return mail.count
        }
        try body(&self, write)
        _ = try write(mail.take())
        try handle.close()
        return total
    }
}

/// Messages, with passes in the common forms by turns.
extension MailMaker {
    /// Appends a message without lines that begin with `From `.
    private mutating func appendMessage() {
        mail.beginMessage()
        if !pool.isEmpty, messages % interval == interval / 2 { return appendMessageWithPass() }
        mail.appendMessage()
    }

    private mutating func appendMessageWithPass() {
        mail.appendHeader(isList: false)
        let (form, pass) = (messagesWithPasses % 12, nextPass())
        messagesWithPasses += 1
        switch form {
        case 0: mail.appendFile(mediaType, "ticket.pkpass", pass)
        case 1: mail.appendFile("application/octet-stream", "Boarding Pass.PKPASS", pass)
        // Recognised by content only.
        case 2: mail.appendFile("application/zip", "ticket.zip", pass)
        case 3: mail.appendFile("application/octet-stream", "attachment", pass)
        // RFC 2047, 5 forbids encoded words in parameters; most mailers write them.
        case 4: mail.appendFile("application/x-binary", "=?UTF-8?B?dGlja2V0LnBrcGFzcw==?=", pass)
        // RFC 2045, 6.1 allows no comment here.
        case 5: mail.appendFile(mediaType, "ticket.pkpass", encoding: "(coded) BASE64", pass)
        case 6:
            let files = [
                ("readme.txt", Array("Have a good trip.".utf8)), ("ticket 0.pkpass", pass),
            ]
            mail.appendFile("application/zip", "order.zip", StoredZip(files).bytes)
        case 7:
            let files = [("ticket 0.pkpass", pass), ("ticket 1.pkpass", nextPass())]
            let type = "application/vnd.apple.pkpasses"
            mail.appendFile(type, "trip.pkpasses", StoredZip(files).bytes)
        case 8:
            mail.appendParts("multipart/mixed") {
                $0.appendText(400)
            } _: {
                $0.append("Content-Type: message/rfc822\n\n")
                $0.appendHeader(isList: true)
                $0.appendFile(mediaType, "ticket.pkpass", pass)
            }
        case 9:
            mail.append("Content-Type: text/plain; charset=us-ascii\n\n")
            mail.append(500, of: \.text)
            mail.append("\nbegin 644 ticket.pkpass\n")
            mail.append(TransferEncoding.uuencoded(pass))
            mail.append("`\nend\n")
        case 10:
            mail.appendMixed(mediaType, "ticket.pkpass", encoding: "Quoted-Printable") {
                $0.append(TransferEncoding.quotedPrintable(pass, keeps: isAlphanumeric))
            }
        default:
            mail.appendParts("multipart/mixed") {
                $0.appendAlternatives(html: $0.size(20_000...60_000), encoded: true)
            } _: {
                $0.appendPart(with: pass)
            }
        }
    }

    private mutating func nextPass() -> [UInt8] {
        defer { passes += 1 }
        return pool[passes % pool.count]
    }
}

private let mediaType = "application/vnd.apple.pkpass"

extension RandomMail {
    fileprivate mutating func appendPart(with pass: [UInt8]) {
        append("Content-Type: \(mediaType); name=ticket.pkpass\n")
        append("Content-Transfer-Encoding: base64\n\n")
        append(TransferEncoding.base64(pass))
    }

    /// Appends a multipart/mixed with a text and a file.
    fileprivate mutating func appendFile(
        _ type: String, _ name: String, encoding: String = "base64", _ file: [UInt8]
    ) {
        appendMixed(type, name, encoding: encoding) { $0.append(TransferEncoding.base64(file)) }
    }
}

private func isAlphanumeric(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte < 128 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
}
