import Bytes
import Testing

@testable import PassModel

@Suite("Reading any text in a pass takes time in proportion to its size", .serialized)
struct CombiningMarksTests {
    /// Letters with marks that may repeat any number of times: Latin, Hebrew, Arabic, Thai,
    /// Devanagari. The last ones are not marks, but slow down code that scans text from its end.
    static let scripts = [
        "a\u{301}\u{323}", "\u{5D0}\u{5B0}\u{5BC}", "\u{627}\u{64B}\u{651}",
        "\u{E01}\u{E38}\u{E48}", "\u{915}\u{93C}\u{94D}", "\u{1F1F5}\u{1F1F9}",
    ]

    private static func run(_ script: String, _ size: Int) -> String {
        var marks = script.unicodeScalars
        let letter = marks.removeFirst()
        let count = size / String(marks).utf8.count
        return String(letter) + String(repeating: String(marks), count: count)
    }

    private static func json(_ members: String) -> [UInt8] {
        Array(#"{"passTypeIdentifier": "pass.a", "serialNumber": "1", \#(members)}"#.utf8)
    }

    @Test("in keys, values and fields", arguments: scripts)
    func cost(script: String) {
        let ratio = timeRatio { size in
            let text = Self.run(script, size / 6)
            let field = #"{"key": "\#(text)", "label": "\#(text)", "value": "\#(text)"}"#
            return Self.json(
                #""\#(text)": 1, "logoText": "\#(text)", "generic": {"backFields": [\#(field)]}"#)
        } work: { bytes in
            let pass = try? Pass(json: bytes)
            _ = pass?.searchableText
            if let pass { #expect(pass.changes(since: pass, preferredLanguages: ["en"]).isEmpty) }
        }
        #expect(ratio < 8)
    }

    @Test("in pass.strings", arguments: scripts)
    func strings(script: String) {
        let ratio = timeRatio { size in
            let text = Self.run(script, size / 3)
            return Array("\"\(text)\" = \"\(text)\";\n\(text) = b;".utf8)
        } work: { bytes in
            _ = try? Pass(json: Self.json(#""generic": {}"#), strings: ["en": bytes])
        }
        #expect(ratio < 8)
    }

    @Test("in HTML, where decoding references creates a run", arguments: scripts)
    func attributedText(script: String) {
        let ratio = timeRatio { size in
            let text = Self.run(script, size / 8)
            let references = script.unicodeScalars.dropFirst().map { "&#\($0.value);" }.joined()
            let run = String(repeating: references, count: size / 4 / references.utf8.count)
            let link = "<a x=\(text) href='https://e.example/\(text)'>\(text)</a>"
            return Array("\(link)<\(text)>\(run)".utf8)
        } work: { bytes in
            let text = AttributedText(String(streamSafe: bytes))
            #expect(!hasLongRun(text.text))
            for link in text.links { #expect(!hasLongRun(link.text)) }
        }
        #expect(ratio < 8)
    }

    @Test("A long run is broken up, and recorded once for each file", arguments: scripts.dropLast())
    func noted(script: String) throws {
        let run = Self.run(script, 200)
        let pass = try Pass(
            json: Self.json(#""logoText": "\#(run)", "description": "\#(run)", "\#(run)": 1"#),
            strings: [
                "de": Array("\"a\" = \"\(run)\"; \"b\" = \"\(run)\";".utf8),
                "en": Array("\(run);".utf8), "fr": Array("\"a\" = \"b\";".utf8),
            ])
        #expect(
            pass.oddities.filter { $0.code == "long-combining-run" } == [
                .json(.longCombiningRun, line: 1),
                .strings(.longCombiningRun, file: "de.lproj/pass.strings"),
                .strings(.longCombiningRun, file: "en.lproj/pass.strings"),
            ])
        let logoText = try #require(pass.logoText)
        #expect(!hasLongRun(logoText))
        #expect(
            Array(logoText.unicodeScalars).filter { $0 != "\u{34F}" } == Array(run.unicodeScalars))
    }

    @Test(
        "A long run in the identifiers of passes and issuers is refused instead",
        arguments: ["serialNumber", "passTypeIdentifier", "teamIdentifier"], scripts.dropLast())
    func refused(key: String, script: String) throws {
        func json(_ marks: Int, escaped: Bool = false) -> [UInt8] {
            let scalars = script.unicodeScalars.dropFirst()
            let text = (0..<marks).map { number in
                let mark = Array(scalars)[number % 2]
                return escaped ? "\\u0\(String(mark.value, radix: 16))" : "\(mark)"
            }.joined()
            let others = ["serialNumber", "passTypeIdentifier", "teamIdentifier"]
                .map { #""\#($0)": "\#($0 == key ? "x\(text)" : "1")""# }
            return Array("{\(others.joined(separator: ", "))}".utf8)
        }
        #expect(throws: Never.self) { try Pass(json: json(30)) }
        for escaped in [false, true] {
            #expect(throws: PassError.longCombiningRun(key)) {
                try Pass(json: json(31, escaped: escaped))
            }
        }
    }

    @Test("Identities that look alike are distinct, as in SQLite")
    func identities() {
        let one = PassIdentity(passTypeIdentifier: "pass.a", serialNumber: "caf\u{E9}")
        let other = PassIdentity(passTypeIdentifier: "pass.a", serialNumber: "cafe\u{301}")
        #expect(one.serialNumber == other.serialNumber)
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
        // Text never continues from one part of an identity to the other.
        let (short, long) = (
            PassIdentity(passTypeIdentifier: "a", serialNumber: "bc"),
            PassIdentity(passTypeIdentifier: "ab", serialNumber: "c")
        )
        #expect(short != long && short.hashValue != long.hashValue)
    }
}

private func hasLongRun(_ text: String) -> Bool { StreamSafeText.hasLongRun(text.utf8.span) }
