import Foundation
import PassModel
import PassSigning
import Testing

/// The expected findings are those that Apple's documentation of the keys and files requires.
@Suite("The linter names file and key of each mistake in a folder")
struct PassLintTests {
    @Test("a folder without mistakes has no findings", arguments: PassStyle.allCases)
    func clean(style: PassStyle) {
        #expect(PassLint(CleanFolder(style).folder).findings.map(Found.init) == [])
    }

    @Test(
        "keys and values",
        arguments: LintRow.keys + LintRow.fields + LintRow.barcodes + LintRow.schemes)
    func json(row: LintRow) { check(row) }

    @Test("files and translations", arguments: LintRow.files + LintRow.translations)
    func files(row: LintRow) { check(row) }

    private func check(_ row: LintRow) {
        var folder = CleanFolder(row.style)
        row.change(&folder)
        let found = PassLint(folder.folder).findings.map(Found.init)
        #expect(Set(found) == Set(row.found))
        #expect(found.count == row.found.count)
    }

    @Test(
        "the word that was probably meant is named",
        arguments: [
            ("foregroundColour", "foregroundColor"), ("webserviceurl", "webServiceURL"),
            ("lables", nil), ("x", nil), ("barcodess", nil), ("relevantdate", "relevantDate"),
        ])
    func meant(key: String, meant: String?) {
        var folder = CleanFolder()
        folder.replace("\"foregroundColor\": \"rgb(0, 0, 0)\",", "")
        folder.replace("\"webServiceURL\": \"https://passes.example.com/\",", "")
        folder.replace("\"authenticationToken\": \"0123456789abcdef\",", "")
        folder.add("\"\(key)\": \"https://example.com\"")
        let faults = PassLint(folder.folder).findings.map(\.fault)
        #expect(faults == [.unknownKey(key, meant: meant)])
    }

    /// Foundation on Linux takes the trailing comma; Apple's own sample has one.
    @Test(
        "violations of JSON that Wallet's parser refuses are errors",
        arguments: [
            ("A sample", "A s\u{FF}mple", "json-invalid-utf8", .error),
            ("A sample", "A \\ud83d sample", "json-lone-surrogate", .error),
            ("A sample", "A \\udc4d sample", "json-lone-surrogate", .error),
            ("A sample", "A \\ud83d\\udc4d sample", nil, nil),
            ("\"A sample\",", "\"A sample\", /* x */", "json-comment", .error),
            ("\"value\": \"4\"}", "\"value\": \"4\",}", "json-trailing-comma", .warning),
        ] as [(String, String, String?, LintSeverity?)])
    func syntax(old: String, new: String, rule: String?, severity: LintSeverity?) throws {
        var folder = CleanFolder()
        let text = String(decoding: folder.files["pass.json"] ?? [], as: UTF8.self)
        // In Latin-1, which is not UTF-8 beyond ASCII.
        let json = text.replacingOccurrences(of: old, with: new)
        folder.files["pass.json"] = Array(try #require(json.data(using: .isoLatin1)))
        let findings = PassLint(folder.folder).findings
        #expect(findings.map(\.fault.rule) == [rule].compactMap(\.self))
        #expect(findings.map(\.severity) == [severity].compactMap(\.self))
    }

    @Test("the line of a key in pass.json is that of its value")
    func lines() throws {
        var folder = CleanFolder()
        folder.replace("0123456789abcdef", "short")
        let finding = try #require(PassLint(folder.folder).findings.first)
        let text = String(decoding: folder.files["pass.json"] ?? [], as: UTF8.self)
        let lines = text.components(separatedBy: "\n")
        #expect(finding.line == lines.firstIndex { $0.contains("\"short\"") }.map { $0 + 1 })
    }

    @Test("a silent change is reported for the field")
    func changes() throws {
        let old = try Pass(CleanFolder().folder)
        var folder = CleanFolder()
        folder.replace("\"value\": \"4\"", "\"value\": \"7\"")
        folder.replace("\"value\": \"None\"", "\"value\": \"Some\"")
        let found = PassLint(folder.folder, previous: old).findings.map(Found.init)
        #expect(
            found == [Found("change-without-message", "pass.json", "generic.headerFields[0].value")]
        )
        #expect(PassLint(CleanFolder().folder, previous: old).findings.isEmpty)
        folder.replace("\"serialNumber\": \"1\"", "\"serialNumber\": \"2\"")
        let other = PassLint(folder.folder, previous: old).findings.map(Found.init)
        #expect(other == [Found("not-a-version")])
    }

    @Test("a serial number that occurs twice in a run is reported the second time")
    func serialNumbers() throws {
        var run = SerialNumbers()
        let identity = try #require(PassLint(CleanFolder().folder).identity)
        #expect(run.add(identity) == nil)
        let other = PassIdentity(passTypeIdentifier: "pass.b", serialNumber: "1")
        #expect(run.add(other) == nil)
        #expect(
            run.add(identity).map(Found.init)
                == Found("repeated-serial-number", "pass.json", "serialNumber"))
    }

    @Test("the number of findings is limited")
    func limit() {
        var folder = CleanFolder()
        let keys = (0..<5_000).map { "\"unknown number \($0)\": 1" }.joined(separator: ",")
        folder.add(keys)
        let findings = PassLint(folder.folder).findings
        #expect(findings.count == 1_001)
        #expect(findings.last?.fault == .moreFindings(count: 4_000))
    }

    @Test("an error is listed even if there are many warnings before it")
    func errorAmongWarnings() {
        var folder = CleanFolder()
        let keys = (0..<5_000).map { "\"unknown number \($0)\": 1" }.joined(separator: ",")
        folder.add(keys)
        folder.files["icon.png"] = nil
        folder.files["icon@2x.png"] = nil
        let findings = PassLint(folder.folder).findings
        #expect(findings.count == 1_001)
        #expect(findings.filter { $0.severity == .error }.map(\.fault.rule) == ["missing-icon"])
        #expect(findings.last?.fault == .moreFindings(count: 4_001))
    }
}

/// A mistake and its findings.
struct LintRow: Sendable, CustomTestStringConvertible {
    let name: String
    let style: PassStyle
    let found: [Found]
    let change: @Sendable (inout CleanFolder) -> Void
    var testDescription: String { name }

    init(
        _ name: String, style: PassStyle = .generic, _ found: [Found],
        _ change: @escaping @Sendable (inout CleanFolder) -> Void
    ) {
        self.name = name
        self.style = style
        self.found = found
        self.change = change
    }
}

extension LintRow {
    static let keys: [LintRow] = [
        LintRow("a missing key", [Found("missing-key", "pass.json", "description")]) {
            $0.replace("\"description\": \"A sample\",", "")
        },
        LintRow("an empty key", [Found("missing-key", "pass.json", "organizationName")]) {
            $0.replace("\"organizationName\": \"Sample\"", "\"organizationName\": \"\"")
        },
        LintRow(
            "a misspelt key",
            [
                Found("missing-key", "pass.json", "teamIdentifier"),
                Found("misspelt-key", "pass.json", "teamIdentifer"),
            ]
        ) { $0.replace("teamIdentifier", "teamIdentifer") },
        LintRow("a key in other case", [Found("misspelt-key", "pass.json", "groupingidentifier")]) {
            $0.add("\"groupingidentifier\": \"x\"")
        },
        LintRow("an unknown key", [Found("unknown-key", "pass.json", "colour of the sky")]) {
            $0.add("\"colour of the sky\": 1")
        },
        LintRow("anything in userInfo", []) { $0.add("\"userInfo\": {\"formatVersoin\": []}") },
        LintRow("no style", [Found("missing-style"), Found("unknown-key", "pass.json", "plain")]) {
            $0.replace("\"generic\"", "\"plain\"")
        },
        LintRow("two styles", [Found("more-than-one-style", "pass.json", "generic")]) {
            $0.add("\"coupon\": {}")
        },
        LintRow("a poster style beside a classic one", []) { $0.add("\"posterGeneric\": {}") },
        LintRow(
            "a boarding pass without transit type", style: .boardingPass,
            [Found("missing-key", "pass.json", "boardingPass.transitType")]
        ) { $0.replace("\"transitType\": \"PKTransitTypeAir\",", "") },
        LintRow("formatVersion as text", [Found("wrong-type", "pass.json", "formatVersion")]) {
            $0.replace("\"formatVersion\": 1", "\"formatVersion\": \"1\"")
        },
        LintRow("another formatVersion", [Found("format-version", "pass.json", "formatVersion")]) {
            $0.replace("\"formatVersion\": 1", "\"formatVersion\": 2")
        },
        LintRow("a fraction as version", [Found("unknown-value", "pass.json", "formatVersion")]) {
            $0.replace("\"formatVersion\": 1", "\"formatVersion\": 1.5")
        },
        LintRow("an integer with a point", []) {
            $0.replace("\"formatVersion\": 1", "\"formatVersion\": 1.0")
        },
        LintRow(
            "a version beyond 64 bits", [Found("unknown-value", "pass.json", "formatVersion")]
        ) { $0.replace("\"formatVersion\": 1", "\"formatVersion\": 1e22") },
        LintRow(
            "a version beyond 64 bits in digits",
            [Found("json-number-too-large"), Found("unknown-value", "pass.json", "formatVersion")]
        ) { $0.replace("\"formatVersion\": 1", "\"formatVersion\": 10000000000000000000000") },
        LintRow(
            "the largest integer as version",
            [Found("unknown-value", "pass.json", "formatVersion")]
        ) { $0.replace("\"formatVersion\": 1", "\"formatVersion\": 9223372036854775807") },
        LintRow(
            "U+0000 in identifiers",
            ["passTypeIdentifier", "serialNumber", "teamIdentifier"].map {
                Found("null-character", "pass.json", $0)
            }
        ) {
            $0.replace("com.example.test\"", "com.example.test\\u0000\"")
            $0.replace("\"serialNumber\": \"1\"", "\"serialNumber\": \"1\\u00002\"")
            $0.replace("TEAM123456", "\\u0000TEAM123456")
        },
        LintRow(
            "combining marks in identifiers",
            [Found("long-combining-run")]
                + ["passTypeIdentifier", "serialNumber", "teamIdentifier"].map {
                    Found("pass-identity-unsafe", "pass.json", $0)
                }
        ) {
            let marks = String(repeating: "\u{301}", count: 31)
            $0.replace("com.example.test\"", "com.example.test\(marks)\"")
            $0.replace("\"serialNumber\": \"1\"", "\"serialNumber\": \"1\(marks)\"")
            $0.replace("TEAM123456", "TEAM123456\(marks)")
        },
        LintRow(
            "identifiers that are not Unicode",
            [Found("json-lone-surrogate")]
                + ["passTypeIdentifier", "serialNumber", "teamIdentifier"].map {
                    Found("pass-identity-unsafe", "pass.json", $0)
                }
        ) {
            $0.replace("com.example.test\"", "com.example.test\\ud800\"")
            $0.replace("\"serialNumber\": \"1\"", "\"serialNumber\": \"1\\udc00\"")
            $0.replace("TEAM123456", "TEAM123456\\ud800")
        },
        LintRow(
            "U+212A for K in a key and a value",
            [
                Found("misspelt-key", "pass.json", "nfc.encryptionPublic\u{212A}ey"),
                Found("unknown-value", "pass.json", "barcodes[0].format"),
            ]
        ) {
            $0.add("\"nfc\": {\"message\": \"x\", \"encryptionPublic\u{212A}ey\": \"x\"}")
            $0.replace("PKBarcodeFormatQR", "P\u{212A}BarcodeFormatQR")
        },
        LintRow(
            "a fraction as row",
            [Found("unknown-value", "pass.json", "generic.headerFields[0].row")]
        ) { $0.replace("\"key\": \"gate\",", "\"key\": \"gate\", \"row\": 0.5,") },
        LintRow("a number as serial number", [Found("wrong-type", "pass.json", "serialNumber")]) {
            $0.replace("\"serialNumber\": \"1\"", "\"serialNumber\": 1")
        },
        LintRow(
            "a number beyond 64 bits as serial number",
            [Found("json-number-too-large"), Found("wrong-type", "pass.json", "serialNumber")]
        ) {
            $0.replace("\"serialNumber\": \"1\"", "\"serialNumber\": 10000000000000000000000")
        },
        LintRow("text instead of true", [Found("wrong-type", "pass.json", "voided")]) {
            $0.add("\"voided\": \"true\"")
        },
        LintRow("null", []) { $0.add("\"voided\": null") },
        LintRow("a list that is none", [Found("wrong-type", "pass.json", "beacons")]) {
            $0.add("\"beacons\": \"none\"")
        },
        LintRow("no JSON", [Found("pass-json-unreadable")]) {
            $0.replace("\"formatVersion\":", ":")
        },
        LintRow("no object", [Found("pass-json-unreadable")]) {
            $0.files["pass.json"] = Array("[]".utf8)
        },
        LintRow("a byte order mark", [Found("json-bom")]) {
            $0.files["pass.json"]?.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
        },
        LintRow("a comment", [Found("json-comment")]) {
            $0.replace("{\n    \"f", "{ // x\n    \"f")
        },
        LintRow("a short token", [Found("short-token", "pass.json", "authenticationToken")]) {
            $0.replace("0123456789abcdef", "0123456789abcde")
        },
        LintRow("a URL without TLS", [Found("insecure-url", "pass.json", "webServiceURL")]) {
            $0.replace("https://passes", "http://passes")
        },
        LintRow("a URL with the version", [Found("version-in-url", "pass.json", "webServiceURL")]) {
            $0.replace("example.com/\"", "example.com/v1/\"")
        },
        LintRow("a URL without scheme", [Found("url-invalid", "pass.json", "webServiceURL")]) {
            $0.replace("https://passes.example.com/", "passes.example.com")
        },
        LintRow("no token", [Found("missing-counterpart", "pass.json", "webServiceURL")]) {
            $0.replace("\"authenticationToken\": \"0123456789abcdef\",", "")
        },
        LintRow("a hexadecimal colour", [Found("color-form", "pass.json", "backgroundColor")]) {
            $0.replace("rgb(255, 255, 255)", "#ffffff")
        },
        LintRow("a colour by name", [Found("color-invalid", "pass.json", "foregroundColor")]) {
            $0.replace("rgb(0, 0, 0)", "black")
        },
        LintRow("white on white", [Found("low-contrast", "pass.json", "foregroundColor")]) {
            $0.replace("rgb(0, 0, 0)", "rgb(250, 250, 250)")
        },
        LintRow("a date that is none", [Found("date-invalid", "pass.json", "expirationDate")]) {
            $0.add("\"expirationDate\": \"2026-02-30T10:00Z\"")
        },
        LintRow(
            "a date in another form", [Found("date-form", "pass.json", "relevantDates[0].date")]
        ) { $0.replace("19:30+02:00", "19:30+0200") },
        LintRow(
            "a latitude that is none", [Found("out-of-range", "pass.json", "locations[0].latitude")]
        ) { $0.replace("48.1", "91") },
        LintRow("no longitude", [Found("missing-key", "pass.json", "locations[0].longitude")]) {
            $0.replace(", \"longitude\": 11.6", "")
        },
        LintRow("too many locations", [Found("too-many-locations", "pass.json", "locations")]) {
            let place = "{\"latitude\": 48.1, \"longitude\": 11.6}"
            $0.replace(place, Array(repeating: place, count: 11).joined(separator: ","))
        },
        LintRow(
            "a beacon without UUID",
            [Found("uuid-invalid", "pass.json", "beacons[0].proximityUUID")]
        ) {
            $0.add("\"beacons\": [{\"proximityUUID\": \"1\"}]")
        },
        LintRow("a long NFC message", [Found("nfc-message-too-long", "pass.json", "nfc.message")]) {
            $0.add("\"nfc\": {\"message\": \"\(String(repeating: "x", count: 65))\"}")
        },
    ]

    static let fields: [LintRow] = [
        LintRow(
            "a field key twice",
            [Found("duplicate-field-key", "pass.json", "generic.primaryFields[1].key")]
        ) { $0.replace("\"key\": \"day\"", "\"key\": \"gate\"") },
        LintRow(
            "a field key twice in a later event",
            [
                Found(
                    "duplicate-field-key", "pass.json",
                    "upcomingPassInformation[0].backFields[0].key")
            ]
        ) {
            let fields = "[{\"key\": \"a\", \"value\": \"1\"}]"
            $0.add(
                """
                "upcomingPassInformation": [
                    {"additionalInfoFields": \(fields), "backFields": \(fields)}
                ]
                """)
        },
        LintRow(
            "a field without value",
            [Found("missing-key", "pass.json", "generic.headerFields[0].value")]
        ) { $0.replace(", \"value\": \"4\"", "") },
        LintRow(
            "a field without key",
            [Found("missing-key", "pass.json", "generic.headerFields[0].key")]
        ) { $0.replace("\"key\": \"gate\", ", "") },
        LintRow(
            "a price as text",
            [Found("wrong-type", "pass.json", "generic.primaryFields[0].value")]
        ) { $0.replace("12.5", "\"12.5\"") },
        LintRow(
            "a currency that is none",
            [Found("unknown-currency", "pass.json", "generic.primaryFields[0].currencyCode")]
        ) { $0.replace("EUR", "Euro") },
        LintRow(
            "a field whose date is none",
            [Found("date-invalid", "pass.json", "generic.primaryFields[1].value")]
        ) { $0.replace("2026-05-01\",", "tomorrow\",") },
        LintRow(
            "a misspelt style",
            [Found("unknown-value", "pass.json", "generic.primaryFields[1].dateStyle")]
        ) { $0.replace("PKDateStyleLong", "PKDateStyleLonq") },
        LintRow(
            "a changeMessage without value",
            [
                Found(
                    "change-message-without-value", "pass.json",
                    "generic.backFields[0].changeMessage")
            ]
        ) { $0.replace("Now: %@", "New terms") },
        LintRow("a changeMessage whose translations have the value", []) {
            $0.replace("Now: %@", "NOW")
            for file in ["en.lproj/pass.strings", "de.lproj/pass.strings"] {
                $0.files[file]? += Array("\"NOW\" = \"! %@\";".utf8)
            }
        },
        LintRow(
            "a field group that is one field",
            [Found("wrong-type", "pass.json", "generic.headerFields")]
        ) {
            $0.replace("[{\"key\": \"gate\"", "{\"key\": \"gate\"")
            $0.replace("\"value\": \"4\"}]", "\"value\": \"4\"}")
        },
    ]

    static let barcodes: [LintRow] = [
        LintRow(
            "a barcode that cannot be encoded",
            [Found("barcode-unencodable", "pass.json", "barcodes[0].message")]
        ) { $0.replace("PKBarcodeFormatQR", "PKBarcodeFormatEAN13") },
        LintRow(
            "an empty barcode", [Found("barcode-unencodable", "pass.json", "barcodes[0].message")]
        ) {
            $0.replace("\"message\": \"M1\"", "\"message\": \"\"")
        },
        LintRow(
            "a barcode without message", [Found("missing-key", "pass.json", "barcodes[0].message")]
        ) { $0.replace("\"message\": \"M1\",", "") },
        LintRow("a misspelt format", [Found("unknown-value", "pass.json", "barcodes[0].format")]) {
            $0.replace("PKBarcodeFormatQR", "PKBarcodeFormatQr")
        },
        LintRow(
            "an encoding that there is none",
            [Found("barcode-encoding", "pass.json", "barcodes[0].messageEncoding")]
        ) { $0.replace("utf-8", "utf-9") },
        LintRow("an encoding that few passes have", []) {
            $0.replace("utf-8", "iso-8859-5")
            $0.replace("M1", "Билет 42")
        },
        LintRow(
            "a message that its encoding cannot represent",
            [Found("barcode-not-in-encoding", "pass.json", "barcodes[0].message")]
        ) {
            $0.replace("utf-8", "iso-8859-1")
            $0.replace("M1", "東京")
        },
    ]

    static let files: [LintRow] = [
        LintRow("no icon", [Found("missing-icon", "icon.png")]) {
            $0.files["icon.png"] = nil
            $0.files["icon@2x.png"] = nil
        },
        LintRow("an icon that is only a PDF", [Found("missing-icon", "icon.png")]) {
            $0.files["icon.png"] = nil
            $0.files["icon@2x.png"] = nil
            $0.files["icon.pdf"] = Array("%PDF-".utf8)
        },
        LintRow("an icon in capitals", [Found("misspelt-file", "ICON.png")]) {
            $0.files["ICON.png"] = $0.files.removeValue(forKey: "icon.png")
        },
        LintRow("a misspelt image", [Found("misspelt-file", "thumbnial.png")]) {
            $0.files["thumbnial.png"] = CleanFolder.png(90, 90)
        },
        LintRow("a scale in another form", [Found("misspelt-file", "logox2.png")]) {
            $0.files["logox2.png"] = CleanFolder.png(320, 100)
        },
        LintRow("an icon of another size", [Found("image-size", "icon@2x.png")]) {
            $0.files["icon@2x.png"] = CleanFolder.png(38, 38)
        },
        LintRow("an icon as older documentation wants it", []) {
            $0.files["icon.png"] = CleanFolder.png(29, 29)
        },
        LintRow("an image that is too large", [Found("image-too-large", "de.lproj/logo@2x.png")]) {
            $0.files["de.lproj/logo@2x.png"] = CleanFolder.png(321, 100)
        },
        LintRow("a JPEG", [Found("not-a-png", "logo.png")]) {
            $0.files["logo.png"] = [0xFF, 0xD8, 0xFF, 0xE0]
        },
        LintRow("an empty image", [Found("image-unreadable", "logo.png")]) {
            $0.files["logo.png"] = []
        },
        LintRow("a PDF", []) { $0.files["strip.pdf"] = Array("%PDF-".utf8) },
        LintRow("a stray file", [Found("stray-file", "notes.txt")]) { $0.files["notes.txt"] = [] },
        LintRow("a file in a folder", [Found("stray-file", "images/strip.png")]) {
            $0.files["images/strip.png"] = []
        },
        LintRow("a file of Windows", [Found("system-file", "Thumbs.db")]) {
            $0.files["Thumbs.db"] = []
        },
        LintRow(
            "a file of a Mac",
            [Found("system-file", "__MACOSX/._icon.png")]
        ) { $0.files["__MACOSX/._icon.png"] = [] },
        LintRow("everything in a folder", [Found("pass-in-folder", "Event/pass.json")]) {
            $0.files = Dictionary(
                uniqueKeysWithValues: $0.files.map { ("Event/\($0.key)", $0.value) })
        },
        LintRow(
            "a misspelt pass.json",
            [Found("pass-json-missing"), Found("misspelt-file", "Pass.json")]
        ) { $0.files["Pass.json"] = $0.files.removeValue(forKey: "pass.json") },
    ]

    static let translations: [LintRow] = [
        LintRow(
            "a key that another language lacks",
            [Found("missing-translation", "en.lproj/pass.strings", "SEAT")]
        ) {
            $0.files["de.lproj/pass.strings"]? += Array("\"SEAT\" = \"Platz\";".utf8)
        },
        LintRow(
            "a key that no language has",
            [Found("untranslated-key", "pass.json", "generic.headerFields[0].value")]
        ) { $0.replace("\"value\": \"4\"", "\"value\": \"GATE_VALUE\"") },
        LintRow(
            "a key in lower case, in a label",
            [Found("untranslated-key", "pass.json", "generic.headerFields[0].label")]
        ) {
            $0.replace("\"GATE\"", "\"label.gate\"")
        },
        LintRow(
            "keys without any language",
            [
                Found("untranslated-key", "pass.json", "logoText"),
                Found("untranslated-key", "pass.json", "generic.headerFields[0].label"),
            ]
        ) {
            for language in ["de", "en"] { $0.files["\(language).lproj/pass.strings"] = nil }
            $0.replace("\"GATE\"", "\"GATE_LABEL_1\"")
            $0.add("\"logoText\": \"LOGO_TEXT\"")
        },
        LintRow("names, codes and addresses that have the form of no key", []) {
            $0.replace("\"value\": \"4\"", "\"value\": \"AB_12\"")
            $0.replace("\"value\": \"None\"", "\"value\": \"www.example.com\"")
            $0.add("\"logoText\": \"e.g. Sample_ (_x_)\"")
        },
        LintRow("a property list", []) {
            $0.files["en.lproj/pass.strings"] = Array(
                "<plist><dict><key>GATE</key><string>Gate</string></dict></plist>".utf8)
        },
        LintRow("a damaged property list", [Found("strings-syntax", "en.lproj/pass.strings")]) {
            $0.files["en.lproj/pass.strings"] = Array(
                "<plist><dict><key>GATE</key><string>Gate</string></dict".utf8)
        },
        LintRow("text that is no entry", [Found("strings-syntax", "en.lproj/pass.strings")]) {
            $0.files["en.lproj/pass.strings"]? += Array("= ;".utf8)
        },
        LintRow("no semicolon", [Found("strings-missing-semicolon", "en.lproj/pass.strings")]) {
            $0.replace(";", "", in: "en.lproj/pass.strings")
        },
    ]

    static let schemes: [LintRow] = [
        LintRow(
            "a poster event ticket without its semantics", style: .eventTicket,
            [
                Found("missing-semantics", "pass.json", "semantics.venueName"),
                Found("missing-semantics", "pass.json", "semantics.performerNames"),
                Found("missing-for-scheme", "pass.json", "nfc.requiresAuthentication"),
                Found("missing-for-scheme", "artwork.png"),
            ]
        ) {
            $0.add("\"preferredStyleSchemes\": [\"posterEventTicket\", \"eventTicket\"]")
            $0.add(
                """
                "semantics": {"eventName": "x", "eventType": "PKEventTypeLivePerformance"}
                """)
        },
        LintRow("a poster event ticket", style: .eventTicket, []) {
            $0.add("\"preferredStyleSchemes\": [\"posterEventTicket\"]")
            $0.add("\"semantics\": {\"eventName\": \"x\", \"venueName\": \"y\"}")
            $0.add("\"nfc\": {\"message\": \"x\", \"requiresAuthentication\": true}")
            $0.files["artwork.png"] = CleanFolder.png(358, 448)
        },
        LintRow(
            "a semantic boarding pass without its semantics", style: .boardingPass,
            [
                "airlineCode", "flightNumber", "originalDepartureDate", "originalBoardingDate",
                "originalArrivalDate", "departureAirportCode", "destinationAirportCode",
                "departureAirportTimeZone", "passengerName",
            ].map { Found("missing-semantics", "pass.json", "semantics.\($0)") }
        ) { $0.add("\"preferredStyleSchemes\": [\"semanticBoardingPass\"]") },
        LintRow(
            "a scheme of another style",
            [Found("scheme-of-other-style", "pass.json", "preferredStyleSchemes")]
        ) { $0.add("\"preferredStyleSchemes\": [\"semanticBoardingPass\"]") },
        LintRow(
            "a scheme that is none",
            [Found("unknown-value", "pass.json", "preferredStyleSchemes[0]")]
        ) { $0.add("\"preferredStyleSchemes\": [\"poster\"]") },
    ]
}
