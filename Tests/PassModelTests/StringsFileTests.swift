import Foundation
import Testing

@testable import PassModel

@Suite("A pass.strings is read in every encoding and with common errors", .serialized)
struct StringsFileTests {
    @Test(
        arguments: [
            (#""a" = "b";"#, ["a": "b"], []),
            ("/* c */ \"a\"=\"b\"; // \"x\" = \"y\";\nkey = word;", ["a": "b", "key": "word"], []),
            (#""a" = "say \"hi\"\n\U00e9\u00E9\t\\";"#, ["a": "say \"hi\"\néé\t\\"], []),
            (#""a" = "\UD83D\UDE00";"#, ["a": "😀"], []),
            (#""same";"#, ["same": "same"], []),
            ("\"a\" = \"two\nlines\";", ["a": "two\nlines"], []),
            ("\"a\" = \"x; \\\" = y\";", ["a": "x; \" = y"], []),
            (
                #""a" = "He said "hello" to me";"#, ["a": "He said \"hello\" to me"],
                ["strings-unescaped-quote"]
            ),
            (#""the "key"" = "v";"#, ["the \"key\"": "v"], ["strings-unescaped-quote"]),
            ("\"a\" = \"b\"\n\"c\" = \"d\"", ["a": "b", "c": "d"], ["strings-missing-semicolon"]),
            (#""a" = "b"; ] "c" = "d";"#, ["a": "b", "c": "d"], ["strings-syntax"]),
            (#""a" = "1"; "a" = "2";"#, ["a": "2"], ["strings-duplicate-key"]),
            (#""a" = "no end"#, ["a": "no end"], ["strings-syntax", "strings-missing-semicolon"]),
            (#""a" = "#, [:], ["strings-syntax"]), ("", [:], []), ("/* no end", [:], []),
            ("//", [:], []),
        ] as [(String, [ExactText: String], Set<String>)])
    func form(text: String, table: [ExactText: String], codes: Set<String>) throws {
        for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian] {
            let bytes = [UInt8](try #require(text.data(using: encoding)))
            var oddities = Oddities(limit: 10)
            #expect(read(bytes, &oddities) == table)
            #expect(Set(oddities.all.map(\.code)) == codes)
        }
    }

    @Test("A byte order mark is not part of the first key")
    func byteOrderMark() {
        var oddities = Oddities(limit: 10)
        let bytes = [0xEF, 0xBB, 0xBF] + Array(#""a" = "b";"#.utf8)
        #expect(read(bytes, &oddities) == ["a": "b"])
    }

    @Test("Entries beyond the limit are ignored, and invalid ones count towards it")
    func entries() throws {
        var limits = PassLimits()
        limits.stringsEntries = 3
        let json = #"{"passTypeIdentifier": "pass.t", "serialNumber": "1", "generic": {}}"#
        let pass = try Pass(
            json: Array(json.utf8),
            strings: [
                "de": Array(#""a" = "b"; ]]] "#.utf8),
                "en": Array(#""a" = "b"; "c" = "d";"#.utf8), "fr": [],
            ], limits: limits)
        #expect(pass.strings == ["de": ["a": "b"], "en": ["a": "b"], "fr": [:]])
        #expect(
            pass.oddities.map(\.code).filter { $0.hasPrefix("strings") } == [
                "strings-syntax", "strings-too-many-entries",
            ])
    }

    @Test("Bytes that are not UTF-8 are replaced")
    func invalidUTF8() {
        var oddities = Oddities(limit: 10)
        let bytes = Array(#""a" = "b"#.utf8) + [0xE9] + Array(#"";"#.utf8)
        #expect(read(bytes, &oddities) == ["a": "b\u{FFFD}"])
        #expect(oddities.all.map(\.code) == ["strings-invalid-utf8"])
    }

    @Test(
        "Time grows linearly with the size of hostile input",
        arguments: [
            ("", "\""), ("\"a\" = \"", "\" "), ("\"", "\"/*"), ("\"", "\"//"), ("", "/*"),
            ("/*", "*"), ("\"", "\\"),
            ("", "="), ("", "a"), ("\"", "\"\n"), ("", "\"a\"=\"\\ud800\";"),
        ])
    func linear(opening: String, unit: String) {
        let ratio = timeRatio { size in
            Array((opening + String(repeating: unit, count: size / unit.utf8.count)).utf8)
        } work: { bytes in
            var oddities = Oddities(limit: 10)
            _ = read(bytes, &oddities)
        }
        #expect(ratio < 8)
    }

    @Test(
        "Files in real passes are read without deviations, and as Foundation reads them",
        .enabled(if: GenuinePass.areHere, "no genuine passes beside this checkout, or no python3"),
        arguments: GenuinePass.all)
    func genuine(pass: GenuinePass) throws {
        for (language, bytes) in pass.stringBytes {
            var oddities = Oddities(limit: 10)
            let table = read(bytes, file: language, &oddities)
            let theirs = try PropertyListDecoder().decode([String: String].self, from: Data(bytes))
            #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.text, $1) }) == theirs)
            #expect(oddities.all.isEmpty)
        }
    }

    private func read(
        _ bytes: [UInt8], file: String = "en", _ oddities: inout Oddities
    ) -> [ExactText: String] {
        var entries = PassLimits().stringsEntries
        return StringsFile.read(bytes, entries: &entries, file: file, oddities: &oddities)
    }
}
