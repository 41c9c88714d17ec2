import Foundation
import PassLinks
import Testing

@Suite("A data: URL is read as in RFC 2397, with common deviations")
struct DataURLTests {
    // The first two are RFC 2397, 4; "%be%fe%be%ac" is Greek in ISO 8859-7.
    @Test(
        "a media type and a body",
        arguments: [
            ("data:,A%20brief%20note", "text/plain;charset=US-ASCII", "A brief note"),
            (
                "data:text/plain;charset=iso-8859-7,%be%fe%be",
                "text/plain;charset=iso-8859-7", "\u{BE}\u{FE}\u{BE}"
            ),
            ("data:application/vnd.apple.pkpass;base64,UEsDBA==", pass, "PK\u{3}\u{4}"),
            ("DATA:application/vnd.apple.pkpass;BASE64,UEsDBA", pass, "PK\u{3}\u{4}"),
            ("data: application/vnd.apple.pkpass ; base64 , UEsD\r\n BA= =", pass, "PK\u{3}\u{4}"),
            ("data:application/vnd.apple.pkpass;base64,UEsDBA%3D%3D#x", pass, "PK\u{3}\u{4}"),
            ("data:application%2Fvnd.apple.pkpass,PK%03%04", pass, "PK\u{3}\u{4}"),
            ("data:;base64,-_8", "text/plain;charset=US-ASCII", "\u{FB}\u{FF}"),
            ("data:;charset=utf-8,a+b", "text/plain;charset=utf-8", "a+b"),
            ("data:\(pass);base64;name=a.pkpass,UEsDBA", "\(pass);name=a.pkpass", "PK\u{3}\u{4}"),
            ("data:a/b;x=\"1,2\",c", "a/b;x=\"1", "2\",c"),
            ("data:,", "text/plain;charset=US-ASCII", ""),
            ("data:,100%", "text/plain;charset=US-ASCII", "100%"),
        ])
    func held(url: String, contentType: String, body: String) throws {
        let data = try DataURL(Array(url.utf8))
        #expect(data.contentType == contentType)
        #expect(data.body == body.unicodeScalars.map { UInt8($0.value) })
    }

    private static let pass = "application/vnd.apple.pkpass"

    @Test(
        "other URLs are refused",
        arguments: [
            ("data:text/plain", DataURLError.noComma), ("data:", .noComma), ("date:,x", .noComma),
            ("data:;base64,UEs{DBA", .noBase64), ("data:;base64,P\u{E9}", .noBase64),
            ("data:,12345", .tooLarge(4)), ("data:;base64,MTIzNDU=", .tooLarge(4)),
        ])
    func refused(url: String, error: DataURLError) {
        #expect(throws: error) { try DataURL(Array(url.utf8), limit: 4) }
    }

    @Test("a body of exactly the maximum size is accepted")
    func limit() throws {
        #expect(try DataURL(Array("data:,1234".utf8), limit: 4).body.count == 4)
    }

    @Test("only the beginning of a long URL is shown")
    func shown() {
        let head = "data:application/vnd.apple.pkpass;base64,UEsDBBQAAAAI"
        #expect(DataURL.shown(Array(head.utf8)) == head)
        let long = DataURL.shown(Array((head + String(repeating: "A", count: 1000)).utf8))
        #expect(long == head + "AAAAAAAA...")
        #expect(long.count == 64)
    }

    private static let python = "/usr/bin/python3"

    @Test(
        "random bytes are decoded as by Python's urllib",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is missing"))
    func urllib() throws {
        let script = """
            import base64, random, sys, urllib.parse, urllib.request
            numbers = random.Random(1)
            for _ in range(200):
                body = numbers.randbytes(numbers.randrange(40))
                text = (";base64," + urllib.parse.quote(base64.b64encode(body), safe="+/=")
                        if numbers.random() < 0.5 else "," + urllib.parse.quote(body))
                url = "data:" + numbers.choice(("", "a/b", "text/plain;x=1")) + text
                with urllib.request.urlopen(url) as answer:
                    print(url, answer.read().hex(), answer.headers["Content-Type"])
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        #expect(lines.count == 200)
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            let data = try DataURL(Array(words[0].utf8))
            let body = data.body.map { String(format: "%02x", $0) }.joined()
            #expect(body == words[1], "\(line)")
            #expect(data.contentType == words[2], "\(line)")
        }
    }
}
