import Bytes
import Testing

@testable import MIME

@Suite("A pass is among the decodings of a body, whatever the header and surrounding text say")
struct BodyDecodingTests {
    private static let named = "Content-Type: application/x; name=ticket.pkpass"
    private static let base64 = named + "\nContent-Transfer-Encoding: base64"
    private static let quoted = named + "\nContent-Transfer-Encoding: quoted-printable"
    private static let lines =
        "UEsDBBQAIHBheWxv\nYWQNCkZyb20gdGhy\nZWUKbGluZXMgPSAx\nMDAgJSD//i4KIQ==\n"
    private static let urls = lines.replacing("/", with: "_")

    @Test(arguments: rows)
    func reading(_ row: (title: String, fields: String, body: String)) throws {
        let found = try readings(of: Array(message(row.fields, row.body).utf8), number: "2")
        #expect(found.contains(Payload.bytes))
    }

    static let rows: [(title: String, fields: String, body: String)] = [
        ("a banner", base64, "CAUTION: from outside!\n\n" + lines),
        ("a banner, 7bit", named + "\nContent-Transfer-Encoding: 7bit", "CAUTION!\n\n" + lines),
        ("a banner, not declared", named, "Here it is:\n\n" + lines),
        ("fields", base64, "X-Note: y\nContent-Transfer-Encoding: base64\n\n" + lines),
        ("PEM", base64, "-----BEGIN PASS-----\n" + lines + "-----END PASS-----\n"),
        ("a data URL", named, "data:application/x;base64," + lines),
        ("one digit to a line, not declared", named, lines.map { "\($0)\n" }.joined()),
        ("of URLs", base64, urls),
        ("of URLs, not declared", named, urls.replacing("\n", with: "")),
        ("breaks of HTML", base64, lines.replacing("\n", with: "<br/>\n")),
        ("breaks of HTML on one line", base64, lines.replacing("\n", with: "<br class='x'>")),
        ("preformatted", named, "<html><pre>" + lines + "</pre></html>"),
        (
            "references", base64,
            lines.replacing("/", with: "&#47;").replacing("=", with: "&#x3D;")
        ),
        ("percent", base64, lines.replacing("/", with: "%2F").replacing("=", with: "%3d")),
        ("escapes", base64, lines.replacing("/", with: "\\/").replacing("\n", with: "\\r\\n")),
        ("escapes of JavaScript", base64, lines.replacing("/", with: "\\u002F")),
        ("a string", named, "b'" + lines.replacing("\n", with: "") + "'\n"),
        ("quoted", named, lines.replacing("\n", with: "\n> ")),
        ("misspelt", named + "\nContent-Transfer-Encoding: bse46", lines),
        ("said to be quoted-printable", quoted, lines),
        // Encoded by Python's base64.
        (
            "twice", base64,
            "VUVzREJCUUFJSEJoZVd4dllXUU5Da1p5YjIwZ2RHaHlaV1VLYkdsdVpYTWdQU0F4TURBZ0pTRC8v\n"
                + "aTRLSVE9PQo=\n"
        ),
        (
            "of uuencode", base64,
            "YmVnaW4gNjQ0IHRpY2tldC5wa3Bhc3MKTTQkTCMhITAgKCchQT42UU84NjAtIkQ5UjtWVEA9JkFS\n"
                + "OTY0KjsmRU45NyxALzIgUSwjIEApMiNfX0JYKgohKDAgIApgCmVuZAo=\n"
        ),
        (
            "quoted-printable of base64", quoted,
            lines.replacing("Zy", with: "Z=\ny").replacing("==", with: "=3D=3D")
        ),
        ("said to be base64", base64, Payload.quotedPrintable),
        ("begun with a soft break", named, "=\n" + Payload.quotedPrintable),
        ("behind blank lines", quoted, "\n\n" + Payload.quotedPrintable),
        (
            "ended by carriage returns", quoted,
            Payload.quotedPrintable.replacing("re", with: "r=\re")
        ),
        ("line ends reversed", quoted, Payload.quotedPrintable.replacing("re", with: "r=\n\re")),
        ("line ends doubled", quoted, Payload.quotedPrintable.replacing("re", with: "r=\n\ne")),
        ("without begin", named + "\nContent-Transfer-Encoding: x-uue", Payload.uuencodedLines),
        (
            "uuencoded behind text", named + "\nContent-Transfer-Encoding: x-uu",
            "Your ticket:\n\n" + Payload.uuencoded
        ),
        (
            "uuencode -m", named + "\nContent-Transfer-Encoding: x-uuencode",
            "begin-base64 644 ticket.pkpass\n" + lines + "====\n"
        ),
    ]

    /// Base64 again, encoded by Python's base64, after a byte order mark, white space or a line of
    /// PEM, or in UTF-16.
    private static let again: [(title: String, body: String)] = [
        (
            "alone",
            "VUVzREJCUUFJSEJoZVd4dllXUU5Da1p5YjIwZ2RHaHlaV1VLYkdsdVpYTWdQU0F4TURBZ0pTRC8v\n"
                + "aTRLSVE9PQo="
        ),
        (
            "mark",
            "77u/IAoKVUVzREJCUUFJSEJoZVd4dllXUU5Da1p5YjIwZ2RHaHlaV1VLYkdsdVpYTWdQU0F4TURB\n"
                + "Z0pTRC8vaTRLSVE9PQo="
        ),
        (
            "PEM",
            "LS0tLS1CRUdJTiBQQVNTLS0tLS0KVmVyc2lvbjogMQoKVUVzREJCUUFJSEJoZVd4dllXUU5Da1p5\n"
                + "YjIwZ2RHaHlaV1VLYkdsdVpYTWdQU0F4TURBZ0pTRC8vaTRLSVE9PQotLS0tLUVORCBQQVNTLS0t\n"
                + "LS0K"
        ),
        (
            "data URL",
            "ZGF0YTphL2I7YmFzZTY0LFVFc0RCQlFBSUhCaGVXeHZZV1FOQ2taeWIyMGdkR2h5WldVS2JHbHVa\n"
                + "WE1nUFNBeE1EQWdKU0QvL2k0S0lRPT0="
        ),
    ]

    @Test("base64 of base64 is decoded, whatever its media type", arguments: again)
    func whateverTheType(title: String, body: String) throws {
        for type in [
            "application/force-download", "application/x-download", "binary/octet-stream",
            "application/base64", "text/x-base64", "image/png", "application/unknown",
            "x-unknown/x",
        ] {
            for name in ["", "; name=x.bin", "; name=ticket.pkpass.txt"] {
                let fields = "Content-Type: \(type)\(name)\nContent-Transfer-Encoding: base64"
                let text = Array(message(fields, body + "\n").utf8)
                let found = try readings(of: text, number: "2", isOfInterest: false)
                #expect(found.contains(Payload.bytes), "\(title), \(type)\(name)")
            }
        }
    }

    /// The second header in a ZIP begins a line of the base64, 114 bytes after the start.
    @Test func aLineWithinBase64BeginsNoFile() throws {
        let line = String(repeating: "A", count: 76) + "\n"
        let body = line + line + Payload.base64 + "\n"
        let found = try readings(of: Array(message(Self.base64, body).utf8), number: "2")
        #expect(found.first == Array(repeating: 0, count: 114) + Payload.bytes)
    }

    /// A checksum has the form of one line of base64.
    @Test(arguments: [64, 128])
    func aFileAfterADigestIsFound(digits: Int) throws {
        let digest = String(repeating: "0a", count: digits / 2) + "\n"
        let found = try readings(
            of: Array(message(Self.base64, digest + Payload.base64 + "\n").utf8), number: "2")
        #expect(found.first == Payload.bytes)
    }

    @Test func lostPluses() throws {
        // `++++` are FB EF BE.
        let found = try readings(
            of: Array(message(Self.base64, "UEsDBBQAIHBheWxvYWQN    YQ==\n").utf8), number: "2")
        #expect(found.contains(Array(Payload.bytes.prefix(15)) + [0xFB, 0xEF, 0xBE, 0x61]))
    }

    /// Lines longer than any buffer are written byte for byte.
    @Test(arguments: [1, 2, 3, 61, 62, 63, 64])
    func longLines(offset: Int) throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        let prefix = Array("x".utf8) + Array(repeating: UInt8(ascii: "y"), count: offset)
        let quoted = prefix + bytes.flatMap { Array("=\(hexadecimal($0))".utf8) }
        #expect(try decode(quoted, .quotedPrintable) == prefix + bytes)
        let yEnc = bytes.flatMap { byte -> [UInt8] in
            let value = byte &+ 42
            return [0, 10, 13, 61].contains(value) ? [61, value &+ 64] : [value]
        }
        let begin = Array("=ybegin line=1 name=x\n".utf8) + prefix.map { $0 &+ 42 }
        #expect(try decode(begin + yEnc, .yEnc) == prefix + bytes)
        let spaced = Array("a b\t c".utf8)
        let text = Array(repeating: spaced, count: 30_000 + offset).joined()
        #expect(try decode(Array(text), .quotedPrintable) == Array(text))
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: byte & 1 == 0)
        return digits.count < 2 ? "0" + digits : digits
    }

    private func decode(_ bytes: [UInt8], _ decoding: BodyDecoding) throws -> [UInt8] {
        try BodyDecoder.decode(SpooledBytes(bytes), decoding, spool: SpoolPolicy()).array()
    }
}
