import Foundation
import Testing

@testable import PassModel

@Suite("JSON is read as issuers write it, and each deviation is recorded", .serialized)
struct LenientJSONTests {
    @Test(
        "A deviation gives the intended value, and is recorded once",
        arguments: [
            (#"{"a": [1, 2,], }"#, #"{"a": [1, 2]}"#, "json-trailing-comma"),
            ("{\"a\": 1, // one\n\"b\": /* two ** */ 2}", #"{"a": 1, "b": 2}"#, "json-comment"),
            ("{} // the end", "{}", "json-comment"),
            ("{\"a\": \"x\ty\nz\"}", #"{"a": "x\ty\nz"}"#, "json-control-character"),
            ("\u{FEFF}{}", "{}", "json-bom"),
            (
                #"["\ud800", "\udc00x", "\ud83d\ude00"]"#, #"["�", "�x", "😀"]"#,
                "json-lone-surrogate"
            ),
            (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#, "json-duplicate-key"),
            (
                "[12345678901234567890123, 1e400]", #"["12345678901234567890123", "1e400"]"#,
                "json-number-too-large"
            ),
        ])
    func liberty(text: String, meant: String, code: String) throws {
        var oddities = Oddities(limit: 10)
        let value = try read(Array(text.utf8), &oddities)
        #expect(value == (try JSONDecoder().decode(JSONValue.self, from: Data(meant.utf8))))
        #expect(oddities.all.map(\.code) == [code])
    }

    @Test("Bytes that are not UTF-8 are replaced")
    func invalidUTF8() throws {
        var oddities = Oddities(limit: 10)
        let value = try read([0x5B, 0x22, 0x41, 0xE9, 0x22, 0x5D], &oddities)
        #expect(value == .array([.string("A\u{FFFD}")]))
        #expect(oddities.all.map(\.code) == ["json-invalid-utf8"])
    }

    @Test(
        "UTF-16 is read in either byte order, with and without its mark",
        arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        var oddities = Oddities(limit: 10)
        let text = try #require(#"{"é": "😀"}"#.data(using: encoding))
        #expect(try read([UInt8](text), &oddities) == .object(["é": .string("😀")]))
        #expect(oddities.all.map(\.code) == ["json-utf16"])
    }

    @Test(
        "Other text is refused, with the position of the error",
        arguments: [
            ("", 1, 1), ("   \n ", 2, 2), ("{", 1, 2), ("[1 2]", 1, 4), ("[,]", 1, 2),
            ("[1,,]", 1, 4),
            ("{\"é\": 1,\n  b: 2}", 2, 3), ("{\"a\" 1}", 1, 6), ("[1] x", 1, 5),
            ("[\"\\x\"]", 1, 4),
            ("[\"\\u12g4\"]", 1, 7), ("[01]", 1, 3), ("[-]", 1, 3), ("[1.]", 1, 4), ("[tru]", 1, 2),
            ("[\"a", 1, 4), ("/* ", 1, 4), ("/", 1, 1), ("{]", 1, 2), ("[}", 1, 2),
            ("<html>", 1, 1),
            ("[NaN]", 1, 2), ("[1e]", 1, 4), ("{\"a\":}", 1, 6),
        ])
    func refusal(text: String, line: Int, column: Int) {
        var oddities = Oddities(limit: 10)
        let error = #expect(throws: PassError.self) { try read(Array(text.utf8), &oddities) }
        guard case .notJSON(_, let foundLine, let foundColumn) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(foundLine == line && foundColumn == column)
    }

    @Test("Depth and size have limits, and the error names the limit")
    func limits() throws {
        var oddities = Oddities(limit: 10)
        let limits = PassLimits()
        let deepest = String(repeating: "[", count: limits.jsonDepth)
        let closing = String(repeating: "]", count: limits.jsonDepth)
        _ = try read(Array((deepest + closing).utf8), &oddities)
        #expect(throws: PassError.overLimit("jsonDepth", limits.jsonDepth)) {
            try read(Array((deepest + "[").utf8), &oddities)
        }
        #expect(throws: PassError.overLimit("jsonDepth", limits.jsonDepth)) {
            try read([UInt8](repeating: UInt8(ascii: "["), count: 100_000), &oddities)
        }
        #expect(throws: PassError.overLimit("jsonBytes", limits.jsonBytes)) {
            try read([UInt8](repeating: 0x20, count: limits.jsonBytes + 1), &oddities)
        }
        // The outer array counts as a value too.
        let most = "[" + String(repeating: "0,", count: limits.jsonValues - 2) + "0"
        _ = try read(Array((most + "]").utf8), &oddities)
        #expect(throws: PassError.overLimit("jsonValues", limits.jsonValues)) {
            try read(Array((most + ",0]").utf8), &oddities)
        }
    }

    @Test("Standard JSON is read as Foundation reads it")
    func sameAsFoundation() throws {
        var random = SeededGenerator(state: 1)
        for _ in 0..<300 {
            let text = randomJSON(&random, depth: 4)
            var oddities = Oddities(limit: 10)
            let theirs = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(
                try read(Array(text.utf8), &oddities).numbersAsDoubles == theirs.numbersAsDoubles)
            #expect(oddities.all.isEmpty)
        }
    }

    @Test("No changed byte causes a crash")
    func mutations() throws {
        var random = SeededGenerator(state: 2)
        let text = Array(randomJSON(&random, depth: 6).utf8)
        for _ in 0..<3000 {
            var changed = text
            for _ in 0..<3 {
                changed[Int.random(in: changed.indices, using: &random)] =
                    [
                        0, 0x22, 0x2C, 0x2F, 0x5B, 0x5C, 0x7B, 0x7D, 0xFF,
                        UInt8.random(in: 0...255, using: &random),
                    ].randomElement(using: &random) ?? 0
            }
            changed.removeLast(Int.random(in: 0..<changed.count, using: &random))
            var oddities = Oddities(limit: 10)
            _ = try? read(changed, &oddities)
        }
    }

    @Test(
        "Time grows linearly with the size of hostile input",
        arguments: [
            ("[", "[],"), ("[", "{},"), ("[", "0,"), ("[", "1e999,"), ("{", "\"a\":1,"), ("[", "9"),
            ("[\"", "\t\n"), ("[\"", "\\ud800"), ("[\"", "\\"), ("[", "/**/"), ("[", "//\n"),
            ("[/*", "*"),
            ("[", "\"\u{80}\","),
        ])
    func linear(opening: String, unit: String) {
        let ratio = timeRatio { size in
            Array((opening + String(repeating: unit, count: size / unit.utf8.count)).utf8)
        } work: { bytes in
            var oddities = Oddities(limit: 1)
            _ = try? read(bytes, &oddities)
        }
        #expect(ratio < 8)
    }

    @Test(
        "Real passes are read as Python reads them",
        .enabled(if: GenuinePass.areHere, "no genuine passes beside this checkout, or no python3"),
        arguments: GenuinePass.all)
    func sameAsPython(pass: GenuinePass) throws {
        var oddities = Oddities(limit: 10)
        let value = try read([UInt8](pass.json), &oddities)
        if let theirs = pass.value {
            #expect(value.numbersAsDoubles == theirs.numbersAsDoubles)
        } else {
            #expect(oddities.all.map(\.code) == ["json-trailing-comma"])
        }
    }

    private func read(_ bytes: [UInt8], _ oddities: inout Oddities) throws -> JSONValue {
        try LenientJSON.read(bytes, limits: PassLimits(), oddities: &oddities)
    }
}

extension JSONValue {
    /// Other parsers do not distinguish 1 from 1.0.
    fileprivate var numbersAsDoubles: JSONValue {
        switch self {
        case .integer(let integer): .number(Double(integer))
        case .array(let array): .array(array.map(\.numbersAsDoubles))
        case .object(let members): .object(members.mapValues(\.numbersAsDoubles))
        default: self
        }
    }
}

private func randomJSON(_ random: inout SeededGenerator, depth: Int) -> String {
    let strings = [#""""#, #""a b""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9\ud83d\ude00""#, "\"é😀\""]
    let scalars =
        strings + ["0", "-1", "12.5e-3", "1E2", "9007199254740993", "true", "false", "null"]
    let count = Int.random(in: 0..<5, using: &random)
    switch depth == 0 ? 2 : Int.random(in: 0..<3, using: &random) {
    case 0:
        let items = (0..<count).map { _ in randomJSON(&random, depth: depth - 1) }
        return "[ " + items.joined(separator: " ,\n") + "]"
    case 1:
        let items = (0..<count).map { "\"\($0)\" : " + randomJSON(&random, depth: depth - 1) }
        return "{" + items.joined(separator: ",\t") + " }"
    default: return scalars.randomElement(using: &random) ?? "0"
    }
}
