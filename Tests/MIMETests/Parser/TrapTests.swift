import MIME
import PassFixtures
import Testing

@Suite("Reading a hostile message takes time in proportion to its size")
struct TrapTests {
    /// A ratio of 4 means linear time, 16 quadratic. Other tests run at the same time.
    @Test(arguments: Trap.all) func costGrowsWithSize(trap: Trap) throws {
        let small = try seconds(trap.make(100_000))
        let large = try seconds(trap.make(400_000))
        #expect(large / max(small, 0.005) < 8, "\(small) s and \(large) s")
    }

    /// The shorter processor time of two runs, in this thread.
    private func seconds(_ message: [UInt8]) throws -> Double {
        var shortest = Double.infinity
        for _ in 0..<2 {
            let start = threadSeconds()
            _ = try parts(of: message) { $0.mediaTypes.contains("application/x") }
            shortest = min(shortest, threadSeconds() - start)
        }
        return shortest
    }
}

/// A message that is cheap to write, but slow to read for a parser that scans twice.
struct Trap: Sendable, CustomTestStringConvertible {
    let title: String
    let before: String
    let line: @Sendable (Int) -> String
    var after = ""

    var testDescription: String { title }

    init(
        _ title: String, _ before: String = "", after: String = "",
        _ line: @escaping @Sendable (Int) -> String
    ) {
        self.title = title
        self.before = before
        self.after = after
        self.line = line
    }

    func make(_ size: Int) -> [UInt8] {
        var bytes = Array(before.utf8)
        var index = 0
        while bytes.count < size {
            bytes += Array(line(index).utf8)
            index += 1
        }
        return bytes + Array(after.utf8)
    }

    private static let multipart = "Content-Type: multipart/mixed; boundary=b\n\n"
    private static let part = multipart + "--b\nContent-Type: application/x\n"
    private static let base64 = "Content-Transfer-Encoding: base64\n\n"

    static let all: [Trap] = [
        Trap("nested multiparts", "Content-Type: multipart/mixed; boundary=b0\n\n") {
            "--b\($0)\nContent-Type: multipart/mixed; boundary=b\($0 + 1)\n\n"
        },
        Trap("nested multiparts of one boundary", multipart) { _ in "--b\n" + multipart },
        Trap("boundaries that are prefixes", "Content-Type: multipart/mixed; boundary=a\n\n") {
            let name = String(repeating: "a", count: $0 % 120 + 1)
            return "--\(name)\nContent-Type: multipart/mixed; boundary=\(name)a\n\n"
        },
        Trap(
            "near misses under open boundaries",
            (0..<99).map {
                "Content-Type: multipart/mixed; boundary=x\($0)\n\n--x\($0)\n"
            }.joined()
        ) { "\n--x\($0 % 99)x\n" },
        Trap("near misses before headers", multipart) { "--x\($0)\nContent-X: y\n" },
        Trap("empty parts", multipart) { _ in "--b\n\n" },
        Trap("empty parts without a header's end", multipart) { _ in "--b\n" },
        Trap("ends", multipart) { _ in "--b--\n" },
        Trap("a boundary that never occurs", multipart) { "line \($0)\n--\n" },
        Trap("many boundaries", "Content-Type: multipart/mixed", after: "\n\n--b1\n") {
            ";boundary=b\($0)"
        },
        Trap("messages in messages") { _ in "Content-Type: message/rfc822\n\n" },
        Trap("messages said to be encoded") { _ in "Content-Type: message/rfc822\n" + base64 },
        Trap("messages in digests", "Content-Type: multipart/digest; boundary=b\n\n") { _ in
            "--b\n\nSubject: x\n\n"
        },
        Trap("continuations", "Content-Type: a/b", after: "\n\n") { ";\n name*\($0)=x" },
        Trap("continuations in reverse", "Content-Type: a/b", after: "\n\n") {
            ";\n name*\(999_999_999 - $0)*=x"
        },
        Trap("continuations in turns", "Content-Type: a/b", after: "\n\n") {
            ";\n name*\($0)\($0 % 2 == 0 ? "*" : "")=xyz"
        },
        Trap("parameters", "Content-Type: a/b", after: "\n\n") { "; p\($0)=x" },
        Trap("names", "Content-Type: a/b", after: "\n\n") { "; name=x\($0)" },
        Trap("encoded words", "Content-Type: a/b; name=\"", after: "\"\n\n") { _ in
            "=?utf-8?B?YWI=?= "
        },
        Trap("encoded words of many sets", "Content-Type: a/b; name=\"", after: "\"\n\n") {
            "=?iso-8859-\($0 % 9 + 1)?Q?a?="
        },
        Trap("unfinished encoded words", "Content-Type: a/b; name=\"", after: "\"\n\n") { _ in
            "=?utf-8?B?YWI"
        },
        // Latin, Thai, Hebrew and Devanagari marks, which Swift sorts when it compares text.
        Trap("marks in a name", "Content-Type: a/b; name=\"a", after: ".x\"\n\n") { _ in
            "\u{301}\u{323}"
        },
        Trap("marks in an identifier", "Content-Type: a/b; x=a.", after: "\n\n") { _ in
            "\u{E38}\u{E48}"
        },
        Trap("marks in encoded words", "Content-Type: a/b; name=\"", after: "\"\n\n") { _ in
            "=?utf-8?Q?=D6=B0=D6=BC?= "
        },
        Trap("marks in UTF-16", "Content-Type: a/b; name*=utf-16be''a", after: "\n\n") { _ in
            "%03%01%03%23"
        },
        Trap("marks in continuations", "Content-Type: a/b", after: "\n\n") {
            ";\n name*\($0)*=\($0 == 0 ? "utf-8''" : "")%E0%A4%BC%E0%A5%8D"
        },
        Trap("marks in boundaries", "Content-Type: multipart/mixed; boundary=a", after: "\n\n") {
            _ in
            "\u{64B}\u{651}"
        },
        Trap("marks in the name of a file in text", "\nbegin 644 a", after: "\nM4$L#!!\nend\n") {
            _ in "\u{301}\u{323}"
        },
        Trap("beginnings of encoded words", "Content-Type: a/b; name=\"", after: "\"\n\n") { _ in
            "=?"
        },
        Trap("open comments", "Content-Type: a/b ", after: "\n\n") { _ in "(" },
        Trap("open comments between parameters", "Content-Type: a/b", after: "\n\n") { _ in ";(" },
        Trap("open quotes", "Content-Type: a/b", after: "\n\n") { _ in ";x=\"" },
        Trap("quotes in quotes", "Content-Type: a/b", after: "\n\n") { _ in ";x=\"a\"b" },
        Trap("semicolons in quotes", "Content-Type: a/b", after: "\n\n") { _ in ";x=\"a;b\"c" },
        Trap("words", "Content-Type: a/b; x=", after: "\n\n") { _ in "a =" },
        Trap("fields", "", after: "\n") { "X-\($0): y\n" },
        Trap("fields that count", "", after: "\n") { _ in
            "Content-Type: multipart/mixed; boundary=a\n"
        },
        Trap("lines of junk in a header", "", after: "\n") { _ in "junk\n" },
        Trap("dashes in a header", "Content-Type: multipart/mixed; boundary=a\n", after: "\n") {
            "--b\($0)\n"
        },
        Trap("a folded field", "Content-Type: a/b\n", after: "\n") { _ in " x\n" },
        Trap("a long field", "Content-Type: a/b; name=", after: "\n\n") { _ in "x" },
        Trap("headers cut in pieces") { _ in "Content-X: y\n\n" },
        Trap("a long line", part + "\n") { _ in "x" },
        Trap("a long line of dashes", multipart + "--") { _ in "-" },
        Trap("blank lines before a body", part + "\n") { _ in " \n" },
        Trap("beginnings of files", "\n") { _ in "begin 644 a\n" },
        Trap("files in text", "\n") { _ in "begin 644 a\nM4$L#!!\nend\n" },
        Trap("base64 with padding everywhere", part + base64) { _ in "UEs=" },
        Trap("soft line breaks", part + "Content-Transfer-Encoding: quoted-printable\n\n") { _ in
            "=\n"
        },
    ]
}
