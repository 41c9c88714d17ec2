import Foundation
import PassModel
import Testing

@Suite("Keys, formats and identifiers of passes are compared by their bytes")
struct ExactTextTests {
    /// All characters that are canonically equivalent to an ASCII character (UnicodeData.txt), and
    /// a character with two spellings.
    static let pairs = [
        ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("\u{E9}", "e\u{301}"),
    ]

    @Test("canonically equivalent keys are two keys", arguments: pairs)
    func keys(key: String, other: String) throws {
        let pass = try pass(#""a\#(key)": 1, "a\#(other)": 2, "userInfo": {"\#(key)": 3}"#)
        #expect(!pass.oddities.map(\.code).contains("json-duplicate-key"))
        #expect(pass.unknownKeys.count == 2)
        #expect(pass.unknownKeys[ExactText("a\(key)")] == .integer(1))
        #expect(pass.unknownKeys[ExactText("a\(other)")] == .integer(2))
        #expect(pass.userInfo?[key] == .integer(3) && pass.userInfo?[other] == nil)
        #expect(pass.userInfo != .object([ExactText(other): .integer(3)]))
    }

    @Test("a key with U+212A for K is unknown")
    func knownKey() throws {
        let key = "encryptionPublic\u{212A}ey"
        for text in [key, "encryptionPublic\\u212aey"] {
            let nfc = try pass(#""nfc": {"message": "m", "\#(text)": "x"}"#).nfc
            #expect(nfc?.encryptionPublicKey == nil && nfc?.message == "m")
        }
        let nfc = try pass(#""nfc": {"encryptionPublicKey": "a", "\#(key)": "b"}"#).nfc
        #expect(nfc?.encryptionPublicKey == "a")
    }

    @Test(
        "a value with U+212A for K is unknown",
        arguments: [
            (#""textAlignment": "P?TextAlignmentLeft""#, \Field.textAlignment?.rawValue),
            (#""dateStyle": "P?DateStyleShort""#, \.dateStyle?.rawValue),
            (#""timeStyle": "P?DateStyleShort""#, \.timeStyle?.rawValue),
            (#""numberStyle": "P?NumberStylePercent""#, \.numberStyle?.rawValue),
            (
                #""dataDetectorTypes": ["P?DataDetectorTypeLink"]"#,
                \.dataDetectorTypes?.first?.rawValue
            ),
        ] as [(String, any KeyPath<Field, String?> & Sendable)])
    func values(entry: String, path: any KeyPath<Field, String?> & Sendable) throws {
        func field(_ letter: String) throws -> (Field, [String]) {
            let entry = entry.replacing("?", with: letter)
            let style = #""generic": {"backFields": [{"key": "k", "value": "1", \#(entry)}]}"#
            let pass = try pass(style)
            return (try #require(pass.fields["k"]), pass.oddities.map(\.code))
        }
        #expect(try field("K").0[keyPath: path] != nil)
        let (odd, codes) = try field("\u{212A}")
        #expect(odd[keyPath: path] == nil && codes.contains("unknown-value"))
    }

    @Test("a barcode or a means of transport with U+212A for K is unknown")
    func formats() throws {
        func pass(_ letter: String) throws -> Pass {
            try self.pass(
                """
                "barcodes": [{"format": "P\(letter)BarcodeFormatQR", "message": "m"}],
                "boardingPass": {"transitType": "P\(letter)TransitTypeAir"}
                """)
        }
        let good = try pass("K")
        #expect(good.barcode?.format == .qr && good.transitType == .air)
        let odd = try pass("\u{212A}")
        #expect(odd.barcodes.isEmpty && odd.transitType == nil)
        #expect(odd.oddities.map(\.code).contains("barcode-unsupported"))
    }

    @Test("canonically equivalent keys of fields are two fields", arguments: pairs)
    func fields(key: String, other: String) throws {
        func pass(_ value: String) throws -> Pass {
            try self.pass(
                """
                "generic": {"backFields":
                    [{"key": "\(key)", "value": "1"}, {"key": "\(other)", "value": "\(value)"}]}
                """)
        }
        let (old, new) = (try pass("2"), try pass("3"))
        #expect(old.fields[key]?.value == .text("1") && old.fields[other]?.value == .text("2"))
        #expect(!old.oddities.map(\.code).contains("duplicate-field-key"))
        let changes = new.changes(since: old, preferredLanguages: [])
        #expect(changes.map { Array($0.key.utf8) } == [Array(other.utf8)])
    }

    @Test("canonically equivalent texts have two translations", arguments: pairs)
    func translations(text: String, other: String) throws {
        let table = "\"\(text)\" = \"one\"; \"\(other)\" = \"two\";"
        let json = #""logoText": "\#(text)", "eventLogoText": "\#(other)", "generic": {}"#
        let pass = try pass(json, strings: ["en": Array(table.utf8)])
        let localized = pass.localized(for: ["en"])
        #expect(localized.logoText == "one" && localized.eventLogoText == "two")
        #expect(!pass.oddities.map(\.code).contains("strings-duplicate-key"))
        let single = try self.pass(json, strings: ["en": Array("\"\(other)\" = \"two\";".utf8)])
        #expect(single.localized(for: ["en"]).logoText?.utf8.elementsEqual(text.utf8) == true)
    }

    @Test("a folder with U+212A for K is not that of a language")
    func languages() throws {
        let strings = Dictionary(
            uniqueKeysWithValues: ["en", "zh-H\u{212A}"].map { ($0, Array(#""l" = "x";"#.utf8)) })
        let pass = try pass(#""logoText": "l""#, strings: strings)
        #expect(pass.localized(for: ["zh-HK"]).language == "en")
    }

    @Test("canonically equivalent identifiers are those of two passes", arguments: pairs)
    func identities(text: String, other: String) throws {
        let (one, two) = (try pass(serial: text), try pass(serial: other))
        #expect(one.identity != two.identity && one.serialNumber == two.serialNumber)
        #expect(Set([one.identity, two.identity, one.identity]).count == 2)
        #expect(PassIdentity(passURL: one.identity.passURL) == one.identity)
        #expect(one.identity.passURL != two.identity.passURL)
    }

    private static let identifiers = ["passTypeIdentifier", "serialNumber", "teamIdentifier"]

    @Test(
        "an identifier that is not Unicode is refused, since U+FFFD would make two of them equal",
        arguments: identifiers,
        [
            Array("\\ud800".utf8), Array("\\udc00".utf8), Array("\\udc00\\ud800".utf8), [0xFF],
            [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80],
        ])
    func notUnicode(key: String, bytes: [UInt8]) throws {
        #expect(throws: PassError.notUnicode(key)) {
            try Pass(json: json(with: bytes, in: key))
        }
        // The last of repeated keys counts.
        let repeated = Array(#"{"\#(key)": "1"#.utf8) + bytes + Array(#"", "#.utf8)
        #expect(throws: Never.self) {
            try Pass(json: repeated + json(with: [], in: key).dropFirst())
        }
        // Other texts are repaired.
        let other = try Pass(json: json(with: bytes, in: "description"))
        #expect(other.description.contains("\u{FFFD}"))
    }

    @Test("an identifier may contain U+FFFD and surrogate pairs", arguments: identifiers)
    func unicode(key: String) throws {
        for text in ["\u{FFFD}", "\\ufffd", "\\ud83d\\ude00"] {
            #expect(throws: Never.self) { try Pass(json: json(with: Array(text.utf8), in: key)) }
        }
    }

    @Test(
        "half of a surrogate pair in UTF-16 is recorded, and refused in an identifier",
        arguments: identifiers, [true, false])
    func utf16(key: String, hasMark: Bool) throws {
        func encoded(_ key: String) -> [UInt8] {
            let text = String(decoding: json(with: [UInt8(ascii: "!")], in: key), as: UTF8.self)
            let units = text.utf16.map { $0 == 0x21 ? 0xD800 : $0 }
            return ((hasMark ? [0xFEFF] : []) + units).flatMap {
                [UInt8($0 >> 8), UInt8($0 & 0xFF)]
            }
        }
        #expect(throws: PassError.notUnicode(key)) { try Pass(json: encoded(key)) }
        let other = try Pass(json: encoded("description"))
        #expect(other.description == "1\u{FFFD}")
        #expect(other.oddities.map(\.code).contains("json-lone-surrogate"))
    }

    private func pass(
        _ entries: String = #""generic": {}"#, serial: String = "1",
        strings: [String: [UInt8]] = [:]
    ) throws -> Pass {
        let json = #"{"passTypeIdentifier": "pass.a", "serialNumber": "\#(serial)", \#(entries)}"#
        return try Pass(json: Array(json.utf8), strings: strings)
    }

    /// A pass with bytes at the end of the value of a key.
    private func json(with bytes: [UInt8], in key: String) -> [UInt8] {
        let members = (Self.identifiers + ["description"]).map { name in
            Array(#""\#(name)": "1"#.utf8) + (name == key ? bytes : []) + [UInt8(ascii: "\"")]
        }
        return Array("{".utf8) + members.joined(separator: [UInt8(ascii: ",")])
            + Array("}".utf8)
    }
}
