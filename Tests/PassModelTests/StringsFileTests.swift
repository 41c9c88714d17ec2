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
            (#""a" = "\101\60\0605\8\344\\";"#, ["a": "A0058î\\"], []),
            (#"'K' = 'V'; 'a "b"' = 'it\'s';"#, ["K": "V", "a \"b\"": "it's"], []),
            ("'a' = 'it's';", ["a": "it's"], ["strings-unescaped-quote"]),
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
            ("//", [:], []), ("{ \"a\" = \"b\"; c = d; }\n", ["a": "b", "c": "d"], []),
            (#""a" = "b"; } "c" = "d";"#, ["a": "b", "c": "d"], ["strings-syntax"]),
            (xml("<key>a</key><string>b</string>"), ["a": "b"], []),
            (
                xml("<key>a &amp; b</key>\n\t<string> &lt;x>&#233;&#xE9; </string>"),
                ["a & b": " <x>éé "], []
            ),
            (
                xml("<!-- <key> --><key>a</key><string>x<![CDATA[<b> &amp;]]>y</string>"),
                ["a": "x<b> &amp;y"], []
            ),
            (xml("<key>a</key><string/><key/><string>b</string>"), ["a": "", "": "b"], []),
            (
                xml("<key>a</key><string>1</string><key>a</key><string>2</string>"), ["a": "2"],
                ["strings-duplicate-key"]
            ),
            (
                xml(
                    "<key>a</key><dict><key>x</key><string>y</string></dict><key>b</key><integer>1</integer><key>c</key><string>d</string>"
                ),
                ["c": "d"], ["strings-syntax"]
            ),
            (
                xml("<key>a</key><key>b</key><string>c</string><string>d</string>"), ["b": "c"],
                ["strings-syntax"]
            ),
            (
                "<?xml version=\"1.0\"?><plist><dict><key>a</key><string>b</string>", ["a": "b"],
                ["strings-syntax"]
            ),
            ("<plist><dict><key>a</key><string>b", ["a": "b"], ["strings-syntax"]),
            ("<plist><array><string>b</string></array></plist>", [:], ["strings-syntax"]),
            ("<plist>", [:], ["strings-syntax"]), ("<", [:], ["strings-syntax"]),
            ("<!--", [:], ["strings-syntax"]),
            ("<plist><dict/></plist>", [:], []),
        ] as [(String, [ExactText: String], Set<String>)])
    func form(text: String, table: [ExactText: String], codes: Set<String>) throws {
        for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian] {
            let bytes = [UInt8](try #require(text.data(using: encoding)))
            var oddities = Oddities(limit: 10)
            #expect(read(bytes, &oddities) == table)
            #expect(Set(oddities.all.map(\.code)) == codes)
        }
    }

    /// A property list as Xcode writes it.
    private static func xml(_ members: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t\(members)
        </dict>
        </plist>

        """
    }

    /// Texts as PropertyListSerialization writes them, which has another reader.
    @Test(
        "A property list is read, in XML and binary",
        arguments: [
            [:], ["GATE": "Gate"], ["a & b <c>": "\"quoted\" 'x' ]]>"],
            ["日本": "Zürich 😀", "": "empty"],
            ["tab\t": "two\nlines\r"], ["same": "same", "other": "same"],
            Dictionary(
                uniqueKeysWithValues: (0..<1000).map { ("KEY_\($0)", "Text \($0) \($0 % 7)") }),
            ["long": String(repeating: "ö", count: 300)],
        ] as [[String: String]])
    func propertyList(texts: [String: String]) throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let bytes = [UInt8](
                try PropertyListSerialization.data(
                    fromPropertyList: texts, format: format, options: 0))
            var oddities = Oddities(limit: 10)
            let table = read(bytes, &oddities)
            #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.text, $1) }) == texts)
            #expect(oddities.all.isEmpty)
        }
    }

    @Test("A binary property list with other objects than texts, or with damage")
    func damagedPropertyList() throws {
        let list: [String: Any] = ["a": "b", "n": 1, "d": ["x": "y"], "l": ["z"], "c": "d"]
        let bytes = [UInt8](
            try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        var oddities = Oddities(limit: 10)
        #expect(read(bytes, &oddities) == ["a": "b", "c": "d"])
        #expect(Set(oddities.all.map(\.code)) == ["strings-syntax"] && oddities.all.count == 3)
        for end in 6..<bytes.count {
            var oddities = Oddities(limit: 10)
            _ = read(Array(bytes[..<end]), &oddities)
            #expect(!oddities.all.isEmpty)
        }
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x5F, 0x7F, 0xD1, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                var oddities = Oddities(limit: 10)
                _ = read(damaged, &oddities)
            }
        }
    }

    @Test("Texts of a binary property list that overlap are limited")
    func overlapping() {
        // A dictionary of 1000 references to each of two texts, which are most of the file.
        let count = 1000
        var bytes = Array("bplist00".utf8) + [0xDF, 0x11, 0x03, 0xE8]
        let references = (0..<2 * count).map { UInt8(1 + $0 % 200) }
        bytes += references
        let start = bytes.count
        bytes += (0..<200).flatMap { _ in [0x5F, 0x12, 0, 0, 0x80, 0] as [UInt8] }
        bytes += Array(repeating: UInt8(ascii: "x"), count: 0x8000 + 1200)
        let table = bytes.count
        let offsets = [8] + (0..<200).map { start + 6 * $0 }
        bytes += offsets.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        bytes +=
            [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 201] + Array(repeating: 0, count: 8)
        bytes += [0, 0, 0, 0, 0, UInt8(table >> 16), UInt8(table >> 8 & 0xFF), UInt8(table & 0xFF)]
        var oddities = Oddities(limit: 10)
        let table1 = read(bytes, &oddities)
        #expect(table1.reduce(0) { $0 + $1.key.text.utf8.count } <= 4 * bytes.count)
    }

    @Test("A byte order mark is not part of the first key")
    func byteOrderMark() {
        var oddities = Oddities(limit: 10)
        let bytes = [0xEF, 0xBB, 0xBF] + Array(#""a" = "b";"#.utf8)
        #expect(read(bytes, &oddities) == ["a": "b"])
    }

    @Test("UTF-32 with a byte order mark is read", arguments: [true, false])
    func utf32(isBigEndian: Bool) {
        var bytes: [UInt8] = []
        func append(_ scalar: UInt32) {
            let shifts = isBigEndian ? [24, 16, 8, 0] : [0, 8, 16, 24]
            for shift in shifts { bytes.append(UInt8(truncatingIfNeeded: scalar >> shift)) }
        }
        for scalar in "\u{FEFF}\"a\" = \"é😀\";".unicodeScalars { append(scalar.value) }
        var oddities = Oddities(limit: 10)
        #expect(read(bytes, &oddities) == ["a": "é😀"])
        #expect(oddities.all.isEmpty)
        // No scalar, and a part of one.
        append(0x11_0000)
        let table = read(bytes + [0x22], &oddities)
        #expect(table["a"] == "é😀")
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
            ("<plist><dict>", "<key>a</key><string>b</string>"), ("<", "<"),
            ("<plist><dict>", "<dict>"),
            ("<plist><dict><key>", "&"), ("<plist><dict><key>", "<![CDATA["),
            ("<plist><dict><key>", "<!--"),
            ("<plist><dict><key>", "<!---->"),
            ("", "="), ("", "a"), ("\"", "\"\n"), ("", "\"a\"=\"\\ud800\";"), ("'", "'/*"),
            ("", "'"), ("'", "\\1"),
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
