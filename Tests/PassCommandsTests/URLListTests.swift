import Bytes
import PassLinks
import PassPresentation
import PassSession
import Platform
import Testing

@testable import PassCommands

@Suite("Input is either a list of URLs as a whole, or passed on without losing a byte")
struct URLListTests {
    /// A stream of bytes that arrive in chunks of a given size.
    private final class Pieces: ByteStream, Sendable {
        private let bytes: [UInt8]
        private let size: Int
        private let position = Position()

        init(_ bytes: [UInt8], of size: Int) {
            self.bytes = bytes
            self.size = size
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
            let count = min(buffer.count, size)
            let got = try unsafe SpooledBytes(bytes).read(
                at: position.value, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            position.advance(got)
            return got
        }
    }

    @Test(
        "each line except blank ones and comments is a URL",
        arguments: [
            "https://x.example/a.pkpass", "\n# passes\n\nhttps://x.example/\r\n",
            "\u{FEFF}http://x.example/\n", "file:///tmp/a.pkpass\nfile:/tmp/b.pkpass",
            "data:application/vnd.apple.pkpass;base64,UEsDBA==\n", "  <https://x.example/a>  \n",
            "HTTPS://X.EXAMPLE/\nhttps://m\u{FC}nchen.example/\u{FC}\n",
            "https://x.example/a\n#\n#https://y.example/ and text\n",
            // URLs that cannot be read, but are URLs.
            "file://elsewhere.example/a\nhttps://x.example/\n", "data:;base64,?\n",
        ])
    func lists(text: String) {
        for size in [1, 7, 1 << 20] {
            let head = StreamHead(of: Pieces(Array(text.utf8), of: size))
            #expect(head.isList, "in pieces of \(size)")
            #expect(head.bytes == Array(text.utf8))
        }
    }

    @Test(
        "input with text before, between or after the URLs is not a list",
        arguments: [
            "", "\n\n", "   ", "# a comment alone\n", "From: ada@x.example\n\nhttps://x.example/\n",
            "https: //x.example/a\n\nhttps://x.example/\n", "https: x\n", "https://\n",
            "https://x.example/\nSubject: passes\n", "https://x.example/ is mine\n",
            "https://x.example/\nhttps://y.example/\nGreetings\n", "see https://x.example/\n",
            "ftp://x.example/\n", "mailto:ada@x.example\n", "/tmp/a.pkpass\n", "PK\u{3}\u{4}",
            "From ada Mon Jan  1 00:00:00 2024\n", "https://x.example/\0\n", "h", "https",
            "data:text/plain\n", "file:a\n", "https://x.example/ https://y.example/\n",
            "https://x.example/\n https://y.example/\n.\n", "<https://x.example/\n",
            "https://x.example/a\n\n--\nAda\n", "{\"url\":\"https://x.example/\"}\n",
        ])
    func others(text: String) throws {
        for size in [1, 7, 1 << 20] {
            let stream = Pieces(Array(text.utf8), of: size)
            let head = StreamHead(of: stream)
            #expect(!head.isList, "in pieces of \(size)")
            let whole = ByteSource(stream: stream, prefix: head.bytes)
            #expect(try whole.bytes(at: 0, count: 1000) == Array(text.utf8))
        }
    }

    @Test(
        "if input begins with a URL but is not a list, the first wrong line is reported",
        arguments: [
            ("https://x.example/\nGreetings\n", 2), ("\n#\nfile:///a\nftp://x\n", 4),
            ("https://x.example/\nsee https://y.example/", 2), ("data:,x\nhttps://", 2),
            ("Greetings\nhttps://x.example/\n", nil), ("ftp://x\n", nil), ("", nil),
            ("https://x.example/ is mine\n", nil), ("https://x.example/\n", nil),
        ] as [(String, Int?)])
    func lineOutOfPlace(text: String, line: Int?) {
        for size in [1, 7, 1 << 20] {
            let head = StreamHead(of: Pieces(Array(text.utf8), of: size))
            #expect(head.lineOutOfPlace == line, "in pieces of \(size)")
        }
    }

    @Test("reading stops when the decision is certain, at 64 KiB at the latest")
    func headSize() throws {
        let mail = Array("Received: x\nhttps://x.example/\n".utf8)
        #expect(StreamHead(of: Pieces(mail, of: 8)).bytes.count == 8)
        let line = "https://x.example/a\n"
        let list = Array(String(repeating: line, count: 10_000).utf8)
        for size in [1000, 1 << 20] {
            let head = StreamHead(of: Pieces(list, of: size))
            #expect(head.isList)
            #expect(head.bytes.count == 64 << 10)
        }
        // Later lines do not count, but an incomplete line within the limit does.
        let lines = 64 << 10
        let late = Array(String(repeating: line, count: lines / line.utf8.count + 1).utf8)
        #expect(StreamHead(of: Pieces(late + Array("Greetings\n".utf8), of: 999)).isList)
        let early = late.dropLast(30) + Array("Dear Ada, \n".utf8)
        #expect(!StreamHead(of: Pieces(early + late, of: 999)).isList)
        let data = Array("data:a/b,".utf8) + [UInt8](repeating: 0x41, count: 100_000)
        #expect(StreamHead(of: Pieces(data, of: 1 << 20)).isList)
        let prose = Array("data:a/b,".utf8) + [UInt8](repeating: 0x20, count: 100_000)
        #expect(StreamHead(of: Pieces(prose, of: 1 << 20)).isList)
        #expect(!StreamHead(of: Pieces(prose + [0x41], of: 1 << 20)).bytes.isEmpty)
    }

    @Test(
        "entries come in order, and bad lines with their numbers", arguments: [64, 100, 1 << 16])
    func entries(bufferSize: Int) throws {
        let text = """
            \u{FEFF}# passes
            https://x.example/a b

              https://x.example/a.pkpass\r
            ftp://x.example/
            data:,x
            Greetings
            https://\(String(repeating: "x", count: 200)).example/
            file:///tmp/a%20b
            https://x.example/last
            """
        var list = URLList(
            ByteSource(SpooledBytes(Array(text.utf8))), bufferSize: bufferSize, limit: 200)
        var lines: [String] = []
        while let entry = try list.next() {
            switch entry {
            case .success(let word): lines.append(word.shown)
            case .failure(let line): lines.append(line.phrase.english)
            }
        }
        #expect(
            lines == [
                "line 2: this is not a URL", "https://x.example/a.pkpass",
                "line 5: ftp: URLs are not supported, only https:, http:, file: and data: URLs",
                "data:,x", "line 7: this is not a URL", "line 8: longer than 0 MiB", "/tmp/a b",
                "https://x.example/last",
            ])
        #expect(try list.next() == nil)
    }

    @Test("a list may have any length")
    func long() throws {
        let count = 100_000
        let text = (0..<count).map { "https://x.example/\($0)\n" }.joined()
        let stream = Pieces(Array(text.utf8), of: 4096)
        let head = StreamHead(of: stream)
        var list = URLList(stream, behind: head)
        var number = 0
        while case .success(.web(let url)) = try list.next() {
            guard url.path == "/\(number)" else {
                Issue.record("\(url) is number \(number)")
                return
            }
            number += 1
        }
        #expect(number == count)
    }
}

/// The position in a stream: the tests read it from one thread.
private final class Position: @unchecked Sendable {
    private(set) var value = 0
    func advance(_ count: Int) { value += count }
}
