import BarcodeReading
import Barcodes
import Foundation
import PassModel
import Testing

@Suite(
    "A scanner reads the message from a symbol, byte for byte",
    .enabled(if: ZXing.isHere, "no ZXingReader on this computer"))
struct DecodedSymbolsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let format: BarcodeFormat
        let name: String
        let message: [UInt8]
        /// The expected octets, if the format adds something.
        let read: [UInt8]

        init(_ format: BarcodeFormat, _ name: String, _ message: [UInt8], read: [UInt8]? = nil) {
            self.format = format
            self.name = name
            self.message = message
            self.read = read ?? message
        }

        init(_ format: BarcodeFormat, _ message: String, read: String? = nil) {
            self.init(format, message, Array(message.utf8), read: read.map { Array($0.utf8) })
        }

        var testDescription: String { "\(format), \(name)" }
    }

    @Test("matrix symbols", arguments: [BarcodeFormat.qr, .pdf417, .aztec], matrixMessages)
    func matrix(format: BarcodeFormat, message: Row) throws {
        try expect(Row(format, message.name, message.message))
    }

    @Test("linear symbols", arguments: linearRows)
    func linear(row: Row) throws {
        try expect(row)
    }

    @Test("messages of the maximum length", arguments: longestRows)
    func longest(row: Row) throws {
        try expect(row)
        let longer = row.message + row.message.prefix(10)
        #expect(throws: BarcodeError.tooLong(row.format, octets: longer.count)) {
            try BarcodeSymbol(longer, as: row.format)
        }
    }

    @Test("the message of a pass, in the character set that the pass names", arguments: encodings)
    func barcode(encoding: String, message: String, octets: [UInt8]) throws {
        let isInCode128 = octets.allSatisfy { $0 < 0x80 || $0 >= 0xA0 }
        for format in [BarcodeFormat.qr, .pdf417, .aztec] + (isInCode128 ? [.code128] : []) {
            let barcode = try barcode(format, message, encoding)
            let symbol = try BarcodeSymbol(barcode)
            #expect(try symbol.read() == octets)
        }
    }

    @Test("a PDF417 is about three times as wide as high", arguments: [1, 20, 60, 150, 400, 900])
    func shape(length: Int) throws {
        let message = Array(repeating: UInt8(ascii: "x"), count: length)
        let symbol = try BarcodeSymbol(message, as: .pdf417)
        let ratio = Double(symbol.columns) / Double(symbol.height)
        #expect((2.3...4).contains(ratio), "\(symbol.columns) x \(symbol.height)")
    }

    @Test("symbols created concurrently equal those created in turn")
    func concurrently() async throws {
        let rows = linearRows + longestRows
        let alone = try rows.map { try BarcodeSymbol($0.message, as: $0.format) }
        try await withThrowingTaskGroup(of: [BarcodeSymbol].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try rows.map { try BarcodeSymbol($0.message, as: $0.format) }
                }
            }
            for try await symbols in group { #expect(symbols == alone) }
        }
    }

    private func expect(_ row: Row) throws {
        let symbol = try BarcodeSymbol(row.message, as: row.format)
        #expect(try symbol.read() == row.read)
    }

    private func barcode(
        _ format: BarcodeFormat, _ message: String, _ encoding: String
    ) throws -> Barcode {
        let json = try JSONSerialization.data(withJSONObject: [
            "formatVersion": 1, "passTypeIdentifier": "pass.example.code", "serialNumber": "1",
            "barcodes": [
                ["format": format.rawValue, "message": message, "messageEncoding": encoding]
            ],
        ])
        return try #require(try Pass(json: [UInt8](json)).barcode)
    }
}

private typealias Row = DecodedSymbolsTests.Row

private let matrixMessages = [
    Row(.qr, "M1LOVELACE/ADA        EABC123 LISOPOTP 1234 123Y012A0001 100"),
    Row(.qr, "0123456789012345678901234567890123456789"),
    Row(.qr, "https://example.com/t?id=42&x=%C3%A9"),
    Row(.qr, "one octet", [0x41]),
    Row(.qr, "NUL", [0]),
    Row(.qr, "control characters", Array(0...31) + [127]),
    Row(.qr, "all octets", Array(0...255)),
    Row(.qr, "all octets backwards", Array((0...255).reversed())),
    Row(.qr, "UTF-8", Array("Билет в театр, 第三番 €".utf8)),
    Row(.qr, "Shift JIS", [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x83, 0x65]),
    Row(.qr, "escapes", Array(#"\x41\n[01]12345678901231 \\ ^FNC1 ]Q3"#.utf8)),
    Row(.qr, "noise", noise(300)),
    Row(.qr, "much noise", noise(1000)),
    Row(.qr, "high octets", high(900)),
]

private let linearRows = [
    Row(.code128, "ABC-abc 1234567890"),
    Row(.code128, "00112233445566778899"),
    Row(.code128, "control characters", Array(0...31) + [127]),
    Row(.code128, "ISO 8859-1", [0x4D, 0xFC, 0x6E, 0x63, 0x68, 0xE9, 0x6E, 0x20, 0xA3, 0x35]),
    Row(.code128, "high octets", Array(160...190)),
    Row(.code128, "higher octets", Array(191...223)),
    Row(.code128, "highest octets", Array(224...255)),
    Row(.code39, "PASS-39 $/+%.", read: "PASS-39 $/+%."),
    Row(.code39, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    // ZXing returns the text between the start and the stop characters.
    Row(.codabar, "A40156B", read: "40156"),
    Row(.codabar, "D31117013206375$:/.+-C", read: "31117013206375$:/.+-"),
    Row(.codabar, "31117013206375"),
    Row(.ean13, "4006381333931"),
    Row(.ean13, "400638133393", read: "4006381333931"),
    Row(.ean13, "0000000000000"),
    Row(.interleaved2of5, "12345678"),
    Row(.interleaved2of5, "1234567", read: "01234567"),
    Row(.interleaved2of5, "00000000000000"),
]

/// The capacities from ISO/IEC 18004; for other formats, the longest that libzint can draw.
private let longestRows = [
    Row(.qr, "digits", digits(7089)),
    Row(.qr, "octets", high(2953)),
    Row(.aztec, "octets", high(1914)),
    Row(.pdf417, "octets", high(1101)),
    Row(.code128, "digits", digits(120)),
    Row(.code39, "digits", digits(85)),
    Row(.codabar, "digits", digits(58)),
    Row(.interleaved2of5, "digits", digits(90)),
]

private let encodings: [(String, String, [UInt8])] = [
    ("iso-8859-1", "München", [0x4D, 0xFC, 0x6E, 0x63, 0x68, 0x65, 0x6E]),
    ("iso-8859-1", "\u{0}\u{80}\u{FF}", [0x00, 0x80, 0xFF]),
    ("utf-8", "Пётр", [0xD0, 0x9F, 0xD1, 0x91, 0xD1, 0x82, 0xD1, 0x80]),
    // A message with a character outside its encoding.
    ("iso-8859-1", "Ж", [0xD0, 0x96]),
    ("shift_jis", "日本", [0x93, 0xFA, 0x96, 0x7B]),
    ("windows-1251", "Жук", [0xC6, 0xF3, 0xEA]),
    ("utf-16be", "A", [0x00, 0x41]),
    ("iso-8859-5", "Билет 42", [0xB1, 0xD8, 0xDB, 0xD5, 0xE2, 0x20, 0x34, 0x32]),
    ("iso-8859-15", "20 €", [0x32, 0x30, 0x20, 0xA4]),
    ("KOI8-R", "Место", [0xED, 0xC5, 0xD3, 0xD4, 0xCF]),
    ("gb18030", "座位 𠀀", [0xD7, 0xF9, 0xCE, 0xBB, 0x20, 0x95, 0x32, 0x82, 0x36]),
    ("iso-8859-5", "€", [0xE2, 0x82, 0xAC]),
]

private func digits(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(ascii: "0") + UInt8(($0 * 7 + $0 / 10) % 10) }
}

private func high(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(128 + $0 * 7 % 128) }
}

/// The same octets on each call (Knuth's MMIX generator).
private func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}
