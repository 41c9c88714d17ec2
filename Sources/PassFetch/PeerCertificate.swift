import Bytes
internal import Fetching

/// A certificate of a server as libcurl describes it, in fields of `NAME:VALUE`.
struct PeerCertificate {
    /// The common name, or else the organisation; nil without a name.
    let subject: String?
    let issuer: String?
    let isSelfSigned: Bool
    let start: HTTPDate?
    let end: HTTPDate?
    /// The names and addresses it is valid for (RFC 5280, 4.2.1.6); the common name is none (RFC
    /// 9525, 2).
    let hosts: [String]

    init(_ fields: [String]) {
        func value(_ name: String) -> String? {
            fields.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
        }
        let (subject, issuer) = (value("Subject"), value("Issuer"))
        self.subject = PeerCertificate.name(subject)
        self.issuer = PeerCertificate.name(issuer)
        isSelfSigned = subject != nil && subject == issuer
        start = value("Start date").flatMap(PeerCertificate.date)
        end = value("Expire date").flatMap(PeerCertificate.date)
        let names = value("X509v3 Subject Alternative Name").map { $0.split(separator: ", ") } ?? []
        hosts = names.compactMap { name in
            if name.hasPrefix("DNS:") { return String(name.dropFirst(4).prefix(253)) }
            guard name.hasPrefix("IP Address:") else { return nil }
            return HostAddress(numeric: String(name.dropFirst(11)))?.description
        }
    }

    /// Parses `Nov 23 08:14:23 2026 GMT`.
    private static func date(_ text: String) -> HTTPDate? {
        // As the form of asctime, whose day of the week is not used.
        guard text.hasSuffix(" GMT") else { return nil }
        return HTTPDate("Sun \(text.dropLast(4))", now: .now)
    }

    /// Chooses from `C = DE, O = "Example, Inc.", CN = Example`.
    private static func name(_ text: String?) -> String? {
        guard let text else { return nil }
        let parts = attributes(text)
        for type in ["CN", "O", "OU"] {
            if let part = parts.last(where: { $0.type == type }), !part.value.isEmpty {
                return String(part.value.prefix(100))
            }
        }
        return nil
    }

    /// OpenSSL's form: values with special characters are quoted, others than ASCII are escaped
    /// byte by byte, as `\C3\9F`.
    private static func attributes(_ text: String) -> [(type: String, value: String)] {
        var parts: [(type: String, value: String)] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            var part: [UInt8] = []
            var isQuoted = false
            while let byte = bytes.popFirst() {
                if byte == UInt8(ascii: "\\") {
                    let digits = String(streamSafe: bytes.prefix(2))
                    if digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
                        part.append(code)
                        bytes = bytes.dropFirst(2)
                    } else if let next = bytes.popFirst() {
                        part.append(next)
                    }
                } else if byte == UInt8(ascii: "\"") {
                    isQuoted.toggle()
                } else if !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "+") {
                    break
                } else {
                    part.append(byte)
                }
            }
            let words = String(streamSafe: part).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else { continue }
            parts.append((trimmed(words[0]), trimmed(words[1])))
        }
        return parts
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        guard let end = start.lastIndex(where: { $0 != " " }) else { return "" }
        return String(start[...end])
    }
}
