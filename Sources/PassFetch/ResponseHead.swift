import Bytes

/// The head of a response (RFC 9112, 4 and 5).
struct ResponseHead: Sendable {
    var status: Int
    var fields = HTTPFields()
    /// Whether the head is complete.
    private(set) var isComplete = false
    /// Whether a line is invalid, or two contradict each other.
    private(set) var isMalformed = false

    init(status: Int, _ fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
    }

    /// A head that begins with this status line; nil if it is none.
    init?(statusLine line: some Collection<UInt8>) {
        guard line.starts(with: "HTTP/".utf8) else { return nil }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2,
            let status = Int(digits: String(streamSafe: words[1].prefix { $0 > 0x20 }))
        else { return nil }
        self.init(status: status)
    }

    /// Takes a line of the head with its line end. The head ends with an empty line.
    mutating func take(_ line: some Collection<UInt8>) {
        let text = line.prefix { $0 != 0x0D && $0 != 0x0A }
        if text.isEmpty {
            isComplete = true
            if !fields.agreeOnLength { isMalformed = true }
        } else if let first = text.first, first == 0x20 || first == 0x09 {
            // A folded value (RFC 9112, 5.2).
            if !fields.continueLast(with: text) { isMalformed = true }
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex {
            let name = String(streamSafe: text[..<colon])
            let value = text[text.index(after: colon)...]
            // A URL consists of bytes, in whatever encoding the server uses.
            let isURL = name.lowercased() == "location"
            fields.append(name, HTTPFields.text(isURL ? percentEncoded(value) : Array(value)))
        } else {
            isMalformed = true
        }
    }
}

/// Percent-encodes the bytes beyond ASCII (RFC 3986, 2.1).
private func percentEncoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    bytes.flatMap { byte in
        byte < 0x80 ? [byte] : Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
    }
}
