import Foundation
import PassModel
import Testing

@Suite("Every key of pass.json can be read")
struct PassTests {
    @Test("Every key has a value of its type")
    func everyKey() throws {
        let pass = try Pass(json: Array(complete.utf8), images: ["icon.png", "logo.png"])
        #expect(pass.oddities.isEmpty)
        #expect(pass.identity == PassIdentity(passTypeIdentifier: "pass.a", serialNumber: "1"))
        #expect(
            pass.formatVersion == 1 && pass.teamIdentifier == "T" && pass.organizationName == "O")
        #expect(
            pass.description == "D" && pass.style == .boardingPass && pass.transitType == .train)
        #expect(pass.fields.header.map(\.key) == ["h"] && pass.fields.primary.map(\.key) == ["p"])
        #expect(
            pass.fields.secondary.map(\.key) == ["s"] && pass.fields.auxiliary.map(\.key) == ["a"])
        #expect(pass.fields.all.map(\.key) == ["h", "p", "s", "a", "i", "b"])
        #expect(pass.barcode?.message == "M" && pass.barcode?.format == .aztec)
        #expect(pass.backgroundColor == PassColor(red: 1, green: 2, blue: 3))
        #expect(pass.foregroundColor == PassColor(red: 4, green: 5, blue: 6))
        #expect(pass.labelColor == PassColor(red: 7, green: 8, blue: 9))
        #expect(pass.logoText == "L" && pass.suppressStripShine == true)
        #expect(pass.preferredStyleSchemes == ["semanticBoardingPass", "boardingPass"])
        #expect(pass.images == ["icon.png", "logo.png"])
        let noon = Date(timeIntervalSince1970: 1_735_732_800)
        #expect(pass.expirationDate == noon && pass.relevantDate == noon && pass.isVoided)
        #expect(pass.isExpired(at: noon) && !pass.isExpired(at: noon - 1))
        #expect(pass.relevantDates.first?.startDate == noon)
        #expect(pass.locations.first?.relevantText == "here" && pass.maxDistance == 50)
        #expect(pass.beacons.first?.major == 1)
        #expect(pass.webServiceURL?.host() == "example.com" && pass.authenticationToken == "secret")
        #expect(pass.groupingIdentifier == "G" && pass.sharingProhibited == true)
        #expect(pass.associatedStoreIdentifiers == [1, 2] && pass.appLaunchURL?.scheme == "app")
        #expect(pass.nfc?.message == "N" && pass.nfc?.requiresAuthentication == true)
        #expect(pass.userInfo?["x"] == .array([.integer(1), .null]))
        #expect(pass.semantics["airlineCode"] == .string("XX"))
        #expect(pass.links[.changeSeat]?.path() == "/seat" && pass.links[.transfer]?.path() == "/t")
        #expect(pass.eventLogoText == "E" && pass.footerBackgroundColor?.green == 1)
        #expect(pass.suppressHeaderDarkening == true && pass.useAutomaticColors == false)
        #expect(
            pass.auxiliaryStoreIdentifiers == [3] && pass.contacts[.venueEmail] == "v@example.com")
        #expect(pass.unknownKeys == ["new": .object(["deep": .bool(true)])])
    }

    @Test(
        "Tolerated deviations are recorded",
        arguments: [
            (#""serialNumber": 17"#, "serial-number-not-string"),
            (#""serialNumber": 123456789012345678901234567890"#, "json-number-too-large"),
            (#""description": null"#, "missing-key"),
            (#""formatVersion": "1""#, "number-as-string"),
            (#""voided": "true""#, "boolean-as-string"), (#""voided": 1"#, "boolean-as-number"),
            (#""logoText": 12"#, "wrong-type"), (#""locations": "here""#, "wrong-type"),
            (#""locations": {"latitude": 1, "longitude": 2}"#, "wrong-type"),
            (#""backgroundColor": "red""#, "color-invalid"),
            (##""backgroundColor": "#123456""##, "color-hex"),
            (#""expirationDate": "soon""#, "date-invalid"),
            (#""relevantDate": "2013-04-24T10:00-0400""#, "date-form"),
            (#""webServiceURL": "not a url""#, "url-invalid"),
            (#""coupon": {}"#, "more-than-one-style"),
            (#""generic": null"#, "missing-style"), (#""generic": []"#, "missing-style"),
            (
                #""barcode": {"format": "PKBarcodeFormatText", "message": ""}"#,
                "barcode-unsupported"
            ),
            (#""barcode": {"format": "PKBarcodeFormatQR"}"#, "missing-key"),
            (
                #""barcode": {"format": "PKBarcodeFormatQR", "message": "", "messageEncoding": "?"}"#,
                "barcode-encoding"
            ),
            (#""locations": [{"latitude": 91, "longitude": 0}]"#, "location-invalid"),
            (#""locations": [{"latitude": "1.5", "longitude": 0}]"#, "number-as-string"),
            (#""beacons": [{"proximityUUID": "x"}]"#, "beacon-invalid"),
            (
                #""generic": {"backFields": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]}"#,
                "duplicate-field-key"
            ),
            (#""generic": {"backFields": [{"value": 1}]}"#, "missing-key"),
            (#""generic": {"backFields": [{"key": "a"}]}"#, "missing-key"),
            (
                #""generic": {"backFields": [{"key": "a", "value": 1, "textAlignment": "x"}]}"#,
                "unknown-value"
            ),
            (
                #""generic": {"backFields": [{"key": "a", "value": "x", "dateStyle": "PKDateStyleShort"}]}"#,
                "date-invalid"
            ),
            (
                #""generic": {"backFields": [{"key": "a", "value": "9.5", "currencyCode": "EUR"}]}"#,
                "number-as-string"
            ),
        ])
    func tolerance(entry: String, code: String) throws {
        let pass = try Pass(json: Array(minimal(entry).utf8))
        // A style of the wrong type has both codes.
        let others = ["json-duplicate-key", code == "missing-style" ? "wrong-type" : ""]
        #expect(pass.oddities.map(\.code).filter { !others.contains($0) } == [code])
    }

    @Test("An object in place of an array of objects is read")
    func objectForArray() throws {
        let location = #""locations": {"latitude": 1, "longitude": 2}"#
        let pass = try Pass(json: Array(minimal(location).utf8))
        #expect(pass.locations.map(\.latitude) == [1] && pass.locations.map(\.longitude) == [2])
    }

    @Test("A pass of any formatVersion is read", arguments: [0, 2, 99])
    func formatVersions(version: Int) throws {
        let pass = try Pass(json: Array(minimal("\"formatVersion\": \(version)").utf8))
        #expect(pass.formatVersion == version && pass.style == .generic)
        #expect(pass.oddities.map(\.code) == ["json-duplicate-key", "format-version"])
    }

    @Test("A list longer than Wallet reads is recorded")
    func tooManyLocations() throws {
        let list = Array(repeating: #"{"latitude": 1, "longitude": 1}"#, count: 11).joined(
            separator: ",")
        let pass = try Pass(json: Array(minimal("\"locations\": [\(list)]").utf8))
        #expect(pass.oddities.map(\.code) == ["too-many-locations"] && pass.locations.count == 11)
    }

    @Test("All digits of a serial number are kept")
    func longSerialNumber() throws {
        let digits = "123456789012345678901234567890"
        #expect(
            try Pass(json: Array(minimal("\"serialNumber\": \(digits)").utf8)).serialNumber
                == digits)
    }

    @Test("A missing required key is recorded")
    func missingKeys() throws {
        let json = #"{"passTypeIdentifier": "pass.a", "serialNumber": "1"}"#
        let pass = try Pass(json: Array(json.utf8), images: [])
        for key in ["formatVersion", "teamIdentifier", "organizationName", "description"] {
            #expect(pass.oddities.contains(.missingKey(key)))
        }
        #expect(pass.oddities.map(\.code).suffix(2) == ["missing-style", "missing-icon"])
        #expect(pass.description.isEmpty && pass.style == nil && pass.fields.all.isEmpty)
    }

    @Test(
        "A pass without an identity is refused",
        arguments: [
            ("{}", PassError.missingIdentity("passTypeIdentifier")),
            (
                #"{"passTypeIdentifier": "", "serialNumber": "1"}"#,
                .missingIdentity("passTypeIdentifier")
            ),
            (#"{"passTypeIdentifier": "pass.a"}"#, .missingIdentity("serialNumber")),
            (
                #"{"passTypeIdentifier": "pass.a", "serialNumber": "1\u00002"}"#,
                .missingIdentity("serialNumber")
            ),
            (
                #"{"passTypeIdentifier": "pass.a\u0000b", "serialNumber": "1"}"#,
                .missingIdentity("passTypeIdentifier")
            ),
            (
                #"{"passTypeIdentifier": "pass.a", "serialNumber": []}"#,
                .missingIdentity("serialNumber")
            ),
            ("[]", .notAnObject(.array)), ("7", .notAnObject(.number)),
            ("<html>", .notJSON(.missingValue, line: 1, column: 1)),
        ])
    func refusal(json: String, error: PassError) {
        #expect(throws: error) { try Pass(json: Array(json.utf8)) }
    }

    @Test("The first supported barcode is used, otherwise the deprecated key")
    func barcodes() throws {
        let old = #""barcode": {"format": "PKBarcodeFormatQR", "message": "old"}"#
        let new = #"{"format": "PKBarcodeFormatCode128", "message": "new"}"#
        let odd = #"{"format": "PKBarcodeFormatMaxiCode", "message": "odd"}"#
        func messages(_ list: String) throws -> [String] {
            try Pass(json: Array(minimal("\(old), \"barcodes\": [\(list)]").utf8)).barcodes.map(
                \.message)
        }
        #expect(try messages("\(odd), \(new)") == ["new"])
        #expect(try messages(odd) == ["old"])
    }

    private func coded(_ message: String, _ encoding: String) throws -> Pass {
        let barcode =
            #"{"format": "PKBarcodeFormatQR", "message": "\#(message)", "messageEncoding": "\#(encoding)"}"#
        return try Pass(json: Array(minimal("\"barcode\": \(barcode)").utf8))
    }

    @Test(
        "The message of a barcode is encoded as declared, and in UTF-8 if that is impossible",
        arguments: [
            ("é\\u0000ÿ", "iso-8859-1", [0xE9, 0, 0xFF], nil), ("é", "UTF-8", [0xC3, 0xA9], nil),
            ("é", "nonsense", [0xE9], "barcode-encoding"),
            ("€", "nonsense", [0xE2, 0x82, 0xAC], "barcode-encoding"),
            ("é", "", [0xE9], "barcode-encoding"), ("é", "?-", [0xE9], "barcode-encoding"),
            ("é", "'utf-8'", [0xE9], "barcode-encoding"),
            ("é", "koi8-r//TRANSLIT", [0xE9], "barcode-encoding"),
            ("€", "iso-8859-1", [0xE2, 0x82, 0xAC], "barcode-not-in-encoding"),
            ("€", "iso-8859-5", [0xE2, 0x82, 0xAC], "barcode-not-in-encoding"),
            ("é", "us-ascii", [0xC3, 0xA9], "barcode-not-in-encoding"),
            ("A①", "shift_jis", [0x41, 0xE2, 0x91, 0xA0], "barcode-not-in-encoding"),
        ] as [(String, String, [UInt8], String?)])
    func messageData(message: String, encoding: String, bytes: [UInt8], code: String?) throws {
        let pass = try coded(message, encoding)
        #expect(pass.barcode?.messageData == Data(bytes))
        let codes = pass.oddities.map(\.code).filter { $0.hasPrefix("barcode") }
        #expect(codes == (code.map { [$0] } ?? []))
    }

    /// The bytes are Python's.
    @Test(
        "The charset of a message is one of IANA, by its name or an alias, in any case",
        arguments: [
            ("iso-8859-5", "Билет 42", [0xB1, 0xD8, 0xDB, 0xD5, 0xE2, 0x20, 0x34, 0x32]),
            ("ISO_8859-5:1988", "Билет", [0xB1, 0xD8, 0xDB, 0xD5, 0xE2]),
            ("cyrillic", "Билет", [0xB1, 0xD8, 0xDB, 0xD5, 0xE2]),
            ("iso-8859-15", "20 €", [0x32, 0x30, 0x20, 0xA4]),
            ("Latin-9", "20 €", [0x32, 0x30, 0x20, 0xA4]),
            ("koi8-r", "Место", [0xED, 0xC5, 0xD3, 0xD4, 0xCF]),
            ("KOI8-U", "їжак", [0xA7, 0xD6, 0xC1, 0xCB]),
            (
                "gb18030", "座位 12排 𠀀",
                [
                    0xD7, 0xF9, 0xCE, 0xBB, 0x20, 0x31, 0x32, 0xC5, 0xC5, 0x20, 0x95, 0x32, 0x82,
                    0x36,
                ]
            ),
            ("GBK", "座位", [0xD7, 0xF9, 0xCE, 0xBB]),
            ("gb2312", "座位", [0xD7, 0xF9, 0xCE, 0xBB]),
            ("Big5", "座位", [0xAE, 0x79, 0xA6, 0xEC]),
            ("euc-kr", "좌석", [0xC1, 0xC2, 0xBC, 0xAE]),
            ("ks_c_5601-1987", "좌석", [0xC1, 0xC2, 0xBC, 0xAE]),
            ("csShiftJIS", "座席ｱ", [0x8D, 0xC0, 0x90, 0xC8, 0xB1]),
            ("shift-jis", "座席", [0x8D, 0xC0, 0x90, 0xC8]),
            ("windows-31j", "①席", [0x87, 0x40, 0x90, 0xC8]),
            ("euc-jp", "座席", [0xBA, 0xC2, 0xC0, 0xCA]),
            (
                "iso-2022-jp", "A座席",
                [
                    0x41, 0x1B, 0x24, 0x42, 0x3A, 0x42, 0x40, 0x4A, 0x1B, 0x28, 0x42,
                ]
            ),
            ("windows-1250", "Řada", [0xD8, 0x61, 0x64, 0x61]),
            ("windows-1253", "Θέση", [0xC8, 0xDD, 0xF3, 0xE7]),
            ("iso-8859-7", "Θέση", [0xC8, 0xDD, 0xF3, 0xE7]),
            ("iso-8859-9", "Ş", [0xDE]),
            ("tis-620", "ที่", [0xB7, 0xD5, 0xE8]),
            ("macintosh", "Café", [0x43, 0x61, 0x66, 0x8E]),
            ("IBM437", "Café", [0x43, 0x61, 0x66, 0x82]),
            ("cp850", "Café", [0x43, 0x61, 0x66, 0x82]),
            ("utf-16le", "Ж1", [0x16, 0x04, 0x31, 0x00]),
            ("utf-16", "A", [0xFF, 0xFE, 0x41, 0x00]),
            ("utf-32be", "Ж", [0x00, 0x00, 0x04, 0x16]),
            ("us-ascii", "A1", [0x41, 0x31]),
            ("iso-8859-8-i", "שלום", [0xF9, 0xEC, 0xE5, 0xED]),
            ("utf_8", "é", [0xC3, 0xA9]),
            ("csUTF8", "é", [0xC3, 0xA9]),
            ("unicode-1-1-utf-8", "é", [0xC3, 0xA9]),
            ("latin1", "é", [0xE9]),
            ("ISO8859-1", "é", [0xE9]),
        ] as [(String, String, [UInt8])])
    func charset(encoding: String, message: String, bytes: [UInt8]) throws {
        for encoding in [encoding, encoding.uppercased(), encoding.lowercased()] {
            let pass = try coded(message, encoding)
            #expect(pass.barcode?.messageData == Data(bytes), "\(encoding)")
            #expect(!pass.oddities.contains { $0.code.hasPrefix("barcode") }, "\(encoding)")
        }
    }

    @Test(
        "Time grows linearly with the size of a hostile pass", .serialized,
        arguments: [
            (#"{"backFields": ["#, #"{"key":1,"dateStyle":3},"#, "]}"),
            (#"{"backFields": ["#, "0,", "]}"),
            ("[", "0,", "]"), (#"{"a": ["#, #"{"a":1},"#, "]}"),
        ])
    func linear(opening: String, unit: String, closing: String) {
        for key in ["generic", "locations"] {
            let ratio = timeRatio { size in
                let list = String(repeating: unit, count: size / unit.utf8.count)
                return Array(minimal("\"\(key)\": \(opening)\(list)\(closing)").utf8)
            } work: { bytes in
                _ = try? Pass(json: bytes)
            }
            #expect(ratio < 8, "\(key)")
        }
    }

    @Test(
        "Real passes are read as Python reads them",
        .enabled(if: GenuinePass.areHere, "no genuine passes beside this checkout, or no python3"),
        arguments: GenuinePass.all)
    func genuine(sample: GenuinePass) throws {
        let read = { () throws(PassError) in
            try Pass(json: [UInt8](sample.json), strings: sample.stringBytes, images: sample.images)
        }
        guard let value = sample.value else {
            #expect(try read().oddities.map(\.code) == ["json-trailing-comma"])
            return
        }
        guard let serialNumber = value["serialNumber"], serialNumber != .null else {
            #expect(throws: PassError.missingIdentity("serialNumber")) { try read() }
            return
        }
        let pass = try read()
        // One of the real passes has the serial number 1, without quotes.
        let isNumber = pass.oddities.contains { $0.code == "serial-number-not-string" }
        if isNumber { #expect(pass.serialNumber == "1") }
        let serial = isNumber ? JSONValue.integer(1) : .string(pass.serialNumber)
        #expect(serialNumber == serial)
        #expect(value["description"] ?? .string("") == .string(pass.description))
        #expect(pass.fields.all.map(\.key) == sample.fieldKeys)
        #expect(pass.relevantDate?.timeIntervalSince1970 == sample.relevantDate)
        if let barcode = value["barcode"], value["barcodes"] == nil {
            #expect(barcode["message"] == pass.barcode.map { .string($0.message) })
        }
    }
}

/// A pass without errors. An entry replaces the one with the same key.
private func minimal(_ entry: String) -> String {
    """
    {"passTypeIdentifier": "pass.a", "serialNumber": "1", "formatVersion": 1, "teamIdentifier": "T",
    "organizationName": "O", "description": "D", "generic": {}, \(entry)}
    """
}

private let complete = """
    {"passTypeIdentifier": "pass.a", "serialNumber": "1", "formatVersion": 1, "teamIdentifier": "T",
    "organizationName": "O", "description": "D",
    "boardingPass": {"transitType": "PKTransitTypeTrain",
        "headerFields": [{"key": "h", "value": 1}], "primaryFields": [{"key": "p", "value": 1.5}],
        "secondaryFields": [{"key": "s", "value": "x"}], "auxiliaryFields": [{"key": "a", "value": "x"}],
        "backFields": [{"key": "b", "value": "x"}], "additionalInfoFields": [{"key": "i", "value": "x"}]},
    "barcodes": [{"format": "PKBarcodeFormatAztec", "message": "M", "messageEncoding": "iso-8859-1"}],
    "backgroundColor": "rgb(1, 2, 3)", "foregroundColor": "rgb(4, 5, 6)", "labelColor": "rgb(7, 8, 9)",
    "logoText": "L", "suppressStripShine": true,
    "preferredStyleSchemes": ["semanticBoardingPass", "boardingPass"],
    "expirationDate": "2025-01-01T12:00:00Z", "voided": true, "relevantDate": "2025-01-01T12:00:00Z",
    "relevantDates": [{"startDate": "2025-01-01T12:00Z", "endDate": "2025-01-01T13:00Z"}],
    "locations": [{"latitude": 1, "longitude": 2.5, "relevantText": "here"}], "maxDistance": 50,
    "beacons": [{"proximityUUID": "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "major": 1}],
    "webServiceURL": "https://example.com/", "authenticationToken": "secret", "groupingIdentifier": "G",
    "sharingProhibited": true, "associatedStoreIdentifiers": [1, 2], "appLaunchURL": "app://x",
    "nfc": {"message": "N", "requiresAuthentication": true}, "userInfo": {"x": [1, null]},
    "semantics": {"airlineCode": "XX"}, "changeSeatURL": "https://example.com/seat",
    "transferURL": "https://example.com/t",
    "eventLogoText": "E", "footerBackgroundColor": "rgb(0, 1, 0)", "suppressHeaderDarkening": true,
    "useAutomaticColors": false, "auxiliaryStoreIdentifiers": [3], "contactVenueEmail": "v@example.com", "new": {"deep": true}}
    """
