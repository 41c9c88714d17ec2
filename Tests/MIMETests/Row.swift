import MIME
import Testing

/// A message, and a part that must be found in it.
struct Row: Sendable, CustomTestStringConvertible {
    let title: String
    let message: [UInt8]
    /// The part's number; nil if it does not matter.
    var number: String?
    var name: String?
    var bytes = Payload.bytes
    var isInMbox = false

    var testDescription: String { title }

    init(
        _ title: String, _ message: String, number: String? = nil, name: String? = nil,
        bytes: [UInt8] = Payload.bytes, isInMbox: Bool = false
    ) {
        self.init(
            title, Array(message.utf8), number: number, name: name, bytes: bytes,
            isInMbox: isInMbox)
    }

    init(
        _ title: String, _ message: [UInt8], number: String? = nil, name: String? = nil,
        bytes: [UInt8] = Payload.bytes, isInMbox: Bool = false
    ) {
        self.title = title
        self.message = message
        self.number = number
        self.name = name
        self.bytes = bytes
        self.isInMbox = isInMbox
    }

    /// Checks the row unchanged and with CRLF, with buffers that end at every byte.
    func check() throws {
        let message = padding + message
        try check(message)
        try check(withCarriageReturns(message))
    }

    private func check(_ message: [UInt8]) throws {
        let whole = try parts(of: message, isInMbox: isInMbox, isOfInterest: isNamed)
        #expect(whole.parts.contains { matches($0) }, "found \(whole.parts)")
        for size in min(1024, message.count)...message.count {
            let split = try parts(
                of: message, bufferSize: size, isInMbox: isInMbox, isOfInterest: isNamed)
            guard split != whole else { continue }
            Issue.record("a buffer of \(size) bytes finds \(split), a large one \(whole)")
            return
        }
    }

    private func matches(_ part: FoundPart) -> Bool {
        part.bytes == bytes && (number == nil || part.number == number)
            && (name.map { part.names.contains($0) } ?? true)
    }
}

private func isNamed(_ header: PartHeader) -> Bool {
    !header.names.isEmpty || header.mediaTypes.contains("application/x")
}

/// A header of a thousand bytes, so that the smallest buffer ends in the text after it.
private let padding = Array(
    String(repeating: "Received: from a relay that is of no interest here at all\n", count: 17).utf8
)

func withCarriageReturns(_ message: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    for byte in message {
        if byte == 0x0A { lines.append(0x0D) }
        lines.append(byte)
    }
    return lines
}

/// A multipart message with one part, which has these header lines and this body.
func message(_ fields: String, _ body: String = Payload.base64 + "\n") -> String {
    """
    From: somebody
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="b"

    --b
    Content-Type: text/plain

    Text.
    --b
    \(fields)

    \(body)
    --b--

    """
}

/// The same, with `@` replaced by bytes that are not text.
func message(_ fields: String, _ body: String, replacing bytes: [UInt8]) -> [UInt8] {
    message(fields, body).utf8.flatMap { $0 == UInt8(ascii: "@") ? bytes : [$0] }
}
