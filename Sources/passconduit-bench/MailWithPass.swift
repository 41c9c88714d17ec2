/// Messages with passes, rotating through the common forms.
extension MailMaker {
    private static let pass = "application/vnd.apple.pkpass"

    mutating func appendMessageWithPass() {
        appendHeader(isList: false)
        defer { messagesWithPasses += 1 }
        switch messagesWithPasses % 12 {
        case 0: appendFile(MailMaker.pass, "ticket.pkpass")
        case 1: appendFile("application/octet-stream", "Boarding Pass.PKPASS")
        // Recognised by content only.
        case 2: appendFile("application/zip", "ticket.zip")
        case 3: appendFile("application/octet-stream", "attachment")
        // RFC 2047, 5 forbids encoded words in parameters; most mailers write them.
        case 4: appendFile("application/x-binary", "=?UTF-8?B?dGlja2V0LnBrcGFzcw==?=")
        // RFC 2045, 6.1 allows no comment here.
        case 5: appendFile(MailMaker.pass, "ticket.pkpass", encoding: "(coded) BASE64")
        case 6: appendArchive("application/zip", "order.zip", ["readme.txt"], passes: 1)
        case 7: appendArchive("application/vnd.apple.pkpasses", "trip.pkpasses", [], passes: 2)
        case 8:
            appendParts("multipart/mixed") {
                $0.appendText(400)
            } _: {
                $0.append("Content-Type: message/rfc822\n\n")
                $0.appendHeader(isList: true)
                $0.appendFile(MailMaker.pass, "ticket.pkpass")
            }
        case 9: appendUUEncoded()
        case 10:
            appendMixed(MailMaker.pass, "ticket.pkpass", encoding: "Quoted-Printable") {
                $0.append(TransferEncoding.quotedPrintable($0.nextPass(), keeps: isAlphanumeric))
            }
        default:
            appendParts("multipart/mixed") {
                $0.appendAlternatives(html: $0.random.size(20_000...60_000), encoded: true)
            } _: {
                $0.appendPass()
            }
        }
    }

    /// Appends a part with a pass.
    mutating func appendPass() {
        append("Content-Type: \(MailMaker.pass); name=ticket.pkpass\n")
        append("Content-Transfer-Encoding: base64\n\n")
        append(TransferEncoding.base64(nextPass()))
    }

    mutating func nextPass() -> [UInt8] {
        defer { passes += 1 }
        return pool[passes % pool.count]
    }

    private mutating func appendFile(_ type: String, _ name: String, encoding: String = "base64") {
        appendMixed(type, name, encoding: encoding) {
            $0.append(TransferEncoding.base64($0.nextPass()))
        }
    }

    private mutating func appendArchive(
        _ type: String, _ name: String, _ others: [String], passes count: Int
    ) {
        var files = others.map { (name: $0, content: Array("Have a good trip.".utf8)) }
        for number in 0..<count { files.append(("ticket \(number).pkpass", nextPass())) }
        appendMixed(type, name) { $0.append(TransferEncoding.base64(StoredZip(files).bytes)) }
    }

    private mutating func appendUUEncoded() {
        append("Content-Type: text/plain; charset=us-ascii\n\n")
        append(500, of: \.text)
        append("\nbegin 644 ticket.pkpass\n")
        append(TransferEncoding.uuencoded(nextPass()))
        append("`\nend\n")
    }
}

private func isAlphanumeric(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte < 128 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
}
