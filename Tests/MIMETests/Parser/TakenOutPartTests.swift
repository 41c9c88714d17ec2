import Bytes
import Testing

@testable import MIME

@Suite("A part whose body was removed by Apple Mail is recognised, whatever its type")
struct TakenOutPartTests {
    @Test(
        "it is recognised by its header field",
        arguments: [
            ("Content-Type: image/png\nX-Apple-Content-Length: 9\n\n", ["2"]),
            ("Content-Type: message/rfc822\nx-apple-content-length: 9\n\n\n", ["2"]),
            ("X-Apple-Content-Length:\n\n", ["2"]),
            ("Content-Type: image/png\n\n", []), ("Content-Type: message/rfc822\n\n", []),
            ("X-Apple-Content-Length-X: 9\n\n", []),
        ])
    func numbers(part: String, expected: [String]) throws {
        let message = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\na\n--b\n\(part)\n--b--\n"
        let found = try parts(of: Array(message.utf8)) { _ in false }.parts
        #expect(found.map(\.number) == expected)
        #expect(found.allSatisfy { $0.bytes.allSatisfy(\.isWhiteSpace) })
    }

    @Test("text that mentions the field is ignored")
    func text() throws {
        let text = "\n--b\nContent-Type: image/png\nX-Apple-Content-Length: 9\n\n\n--b--\n"
        let found = try parts(of: Array("Subject: x\n\n\(text)".utf8)) { _ in false }.parts
        #expect(found.isEmpty)
    }
}
