import Bytes
import PassFixtures
import Testing

@testable import MIME

@Suite("The text of parts is collected as UTF-8 on request")
struct TextReaderTests {
    @Test("of each readable part, including the text around encoded files")
    func parts() throws {
        let message = """
            Content-Type: multipart/mixed; boundary=b

            --b

            No type.
            -- \n\
            signature
            --x
            --b
            Content-Type: text/html; charset=UTF-8
            Content-Transfer-Encoding: quoted-printable

            <a href=3D"https://x.exa=
            mple/a.pkpass">
            --b
            Content-Type: text/plain

            before
            \(Payload.uuencoded)behind
            begin 644 none
            --b
            Content-Type: image/png

            none
            --b
            Content-Type: text/csv

            none
            --b
            Content-Type: text/x-amp-html

            --b--
            epilogue

            """
        let found = try texts(of: message)
        #expect(
            found.map(\.text) == [
                "No type.\n-- \nsignature\n--x", "<a href=\"https://x.example/a.pkpass\">",
                "before\nbegin 644 ticket.pkpass\nbehind\nbegin 644 none",
            ])
        #expect(found.map(\.number) == ["1", "2", "3"])
        #expect(found.map(\.form.isHTML) == [false, true, false])
        // Buffers that end at any byte give the same result.
        let padded =
            String(repeating: "Received: from a relay of no interest\n", count: 28) + message
        for size in 1024...padded.utf8.count {
            let split = try texts(of: padded, bufferSize: size)
            guard split.map(\.text) != found.map(\.text) else { continue }
            Issue.record("a buffer of \(size) bytes finds \(split.map(\.text))")
            return
        }
    }

    @Test("without a request no text is collected")
    func unasked() throws {
        let message = Array("Subject: x\n\nText with https://x.example/a.pkpass\n".utf8)
        var parser = MessageParser { _ in true }
        #expect(try collected(message, &parser).filter { $0.kind != .file }.isEmpty)
        parser = MessageParser { _ in false }
        #expect(try collected(message, &parser).isEmpty)
    }

    @Test(
        "a file or a mail declared as text is left out",
        arguments: [
            "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\(Payload.base64)",
            "Content-Type: text/plain; name=x.eml\n\nFrom: a\nSubject: b\n\nhttps://x.example",
        ])
    func others(message: String) throws {
        #expect(try texts(of: message + "\n").map(\.text) == [""])
    }

    @Test(
        "in every character set",
        arguments: [
            ("utf-8", [0xC3, 0xBC]), ("", [0xC3, 0xBC]), ("iso-8859-1", [0xFC]),
            ("windows-1252", [0xFC]), ("us-ascii", [0xFC]), ("nobody-knows", [0xFC]),
            ("shift_jis", [0x83, 0x40]), ("utf-16be", [0, 0xFC]), ("utf-16", [0, 0xFC]),
            ("utf-16", [0xFE, 0xFF, 0, 0xFC]), ("utf-16", [0xFF, 0xFE, 0xFC, 0]),
            ("UTF-16LE", [0xFC, 0]), ("utf-32", [0xFF, 0xFE, 0, 0, 0xFC, 0, 0, 0]),
            ("utf-32", [0, 0, 0, 0xFC]), ("iso-10646-ucs-2", [0, 0xFC]),
            ("ucs-4", [0, 0, 0, 0xFC]),
            ("utf-16", [0xFC, 0]), ("utf-7", Array("+APw-".utf8)),
        ])
    func charsets(name: String, umlaut: [UInt8]) throws {
        let letter = name == "shift_jis" ? "\u{30A1}" : "ü"
        let text = String(repeating: "https://x.example/a.pkpass\n", count: 5000)
        let bytes = umlaut + encoded(text, name, like: umlaut)
        let form = TextForm(charset: name)
        var read: [UInt8] = []
        try SpooledBytes(bytes).readText(form) { piece in
            for index in piece.indices { read.append(piece[index]) }
        }
        let whole = String(decoding: read, as: UTF8.self)
        #expect(whole.drop { $0 == "\u{FEFF}" }.prefix(1) == letter)
        #expect(whole.hasSuffix(letter + text))
    }

    @Test(
        "the bytes tell UTF-16 from UTF-32, whatever the label",
        arguments: ["", "us-ascii", "utf-16", "utf-16-le", "utf-32", "x-unknown"], [2, 4])
    func wide(name: String, size: Int) throws {
        let text = "<a href=\"https://x.example/a.pkpass\">ü</a>\n"
        for mark in [[0xFF, 0xFE] + [UInt8](repeating: 0, count: size - 2), []] {
            let bytes =
                mark
                + text.unicodeScalars.flatMap { scalar in
                    [UInt8(scalar.value)] + [UInt8](repeating: 0, count: size - 1)
                }
            var read: [UInt8] = []
            try SpooledBytes(bytes).readText(TextForm(charset: name)) {
                for index in $0.indices { read.append($0[index]) }
            }
            let found = String(decoding: read, as: UTF8.self).drop { $0 == "\u{FEFF}" }
            #expect(found.utf8.elementsEqual(text.utf8), "\(mark) \(found)")
        }
    }

    @Test("zeros behind a text do not make it wide")
    func zeros() {
        #expect(
            TextForm.wideCharset(of: Array("hello\n".utf8) + [UInt8](repeating: 0, count: 90))
                == nil)
    }

    @Test("8-bit text declared in a wide character set is read as 8-bit")
    func notWide() throws {
        var read: [UInt8] = []
        try SpooledBytes(Array("ü https://x.example".utf8)).readText(TextForm(charset: "utf-16")) {
            for index in $0.indices { read.append($0[index]) }
        }
        #expect(read == Array("ü https://x.example".utf8))
    }

    @Test(
        "in time that grows in proportion to its size",
        arguments: Trap.all.filter { trap in
            [
                "near misses before headers", "empty parts", "parameters", "continuations",
                "a long line", "beginnings of files", "files in text", "soft line breaks",
            ].contains(trap.title)
        })
    func costGrowsWithSize(trap: Trap) throws {
        func seconds(_ size: Int) throws -> Double {
            let message = String(decoding: trap.make(size), as: UTF8.self)
            let start = threadSeconds()
            _ = try texts(of: message)
            return threadSeconds() - start
        }
        let small = try min(seconds(100_000), seconds(100_000))
        let large = try min(seconds(400_000), seconds(400_000))
        // A ratio of 4 means linear time, 16 quadratic.
        #expect(large / max(small, 0.005) < 8, "\(small) s and \(large) s")
    }

    /// ASCII text in the code units of a character set.
    private func encoded(_ text: String, _ name: String, like start: [UInt8]) -> [UInt8] {
        let name = name.lowercased()
        guard name.contains("utf-16") || name.contains("utf-32") || name.contains("ucs") else {
            return Array(text.utf8)
        }
        let isQuad = name.contains("32") || name.contains("ucs-4")
        let zeros = [UInt8](repeating: 0, count: isQuad ? 3 : 1)
        let isLittle = start.last == 0
        return text.utf8.flatMap { isLittle ? [$0] + zeros : zeros + [$0] }
    }

    @Test(
        "flowed lines are joined, without their trailing spaces if DelSp requests that",
        arguments: [
            ("a \nb\n", "ab\n"), ("a\nb\n", "a\nb\n"), ("a \r\nb\r\n", "ab\n"),
            (" a \n b\n", " ab\n"), ("> a \n> b\n", "> ab\n"), ("> a \nb\n", "> a\nb\n"),
            ("-- \na\n", "-- \na\n"), ("a \n", "a"), ("a  \nb", "a b\n"), ("", ""),
            ("> -- \n> a\n", "> -- \n> a\n"),
        ])
    func flowed(text: String, joined: String) throws {
        for size in 1...max(text.utf8.count, 1) {
            let message =
                "Content-Type: text/plain; format=flowed; DelSp=Yes\n\n\(text)"
            // Blank lines before a body are ignored. The last line end may belong to the mailbox.
            let found = try texts(of: message, bufferSize: 64 + size).map(\.text).joined()
            #expect(found == joined || found + "\n" == joined, "\(found)")
        }
        let plain = try texts(of: "Content-Type: text/plain; format=flowed\n\nx\(text)y\n")
        #expect(plain.map(\.text) == ["x\(text)y\n"])
    }

    private struct FoundText {
        let number: String
        let form: TextForm
        var text = ""
    }

    private func texts(of message: String, bufferSize: Int = 256 << 10) throws -> [FoundText] {
        var parser = MessageParser(texts: .all) { $0.names.contains("a.pkpass") }
        var found: [FoundText] = []
        for part in try collected(Array(message.utf8), &parser, bufferSize: bufferSize) {
            guard case .text(let form) = part.kind else { continue }
            var bytes: [UInt8] = []
            try part.readText(form, spool: SpoolPolicy()) { piece in
                for index in piece.indices { bytes.append(piece[index]) }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            found.append(FoundText(number: part.number, form: form, text: text))
        }
        return found
    }
}

/// The parts of a message that a parser stores.
func collected(
    _ message: [UInt8], _ parser: inout MessageParser, bufferSize: Int = 256 << 10
) throws -> [CollectedPart] {
    var reader = LineReader(bufferSize: bufferSize)
    var marks = LineMarks()
    var parts: [CollectedPart] = []
    reader.open(ByteSource(SpooledBytes(message)))
    parser.begin(isInMbox: false)
    var more = true
    while more {
        let startsLine = reader.startsLine
        more = try reader.next { bytes, _ in
            marks.mark(bytes, startsLine: startsLine)
            parser.feed(bytes, 0..<bytes.count, marks: marks, startsLine: startsLine)
            return bytes.count
        }
        parts += parser.takeParts()
    }
    parser.finish()
    return parts + parser.takeParts()
}
