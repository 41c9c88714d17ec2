import Foundation
import Testing

@testable import PassSession

@Suite("A record is one line of JSON with its keys in the declared order")
struct JSONLineTests {
    private struct Record: Encodable {
        struct Inner: Encodable {
            let z: Int
            let a: Bool
        }
        var text = "t"
        var absent: String?
        var inner = Inner(z: 1, a: true)
        var list = ["b", "a"]
        var records = [Inner(z: 0, a: false)]
        var none: [String] = []
        var half = 0.5
        var whole = 2.0
    }

    @Test("keys, nesting and numbers; absent values are left out")
    func order() throws {
        #expect(
            try jsonLine(Record()) == #"{"text":"t","inner":{"z":1,"a":true},"list":["b","a"],"#
                + #""records":[{"z":0,"a":false}],"none":[],"half":0.5,"whole":2}"#)
    }

    // RFC 8259, 7: only characters that must be escaped.
    @Test(
        "strings are escaped as JSON requires and no further",
        arguments: [
            (#"a"b\c/d"#, #""a\"b\\c/d""#), ("\n\r\t\u{1}\u{1F}", #""\n\r\t\u0001\u001f""#),
            ("\u{7F}\u{9B}\u{202E}", "\"\u{7F}\u{9B}\u{202E}\""), ("é🛫", "\"é🛫\""),
            ("\r\n", #""\r\n""#),
        ])
    func escapes(text: String, json: String) throws {
        #expect(jsonString(text) == json)
        let read = try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8))
        #expect(read == [text])
    }
}
