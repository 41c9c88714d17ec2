import BarcodeReading
import Foundation
import PassFixtures
import Testing

@Suite(
    "a barcode scanned from a window holds the message of the pass, byte for byte",
    .enabled(
        if: Display.isPossible && ZXing.isHere,
        "needs Xvfb, xdotool, ImageMagick, D-Bus, AT-SPI and ZXingReader"))
final class ViewerBarcodesTests {
    private let home: Home

    init() throws {
        home = try Home()
    }

    deinit { home.remove() }

    /// A barcode in a pass, and the bytes that a scanner should read.
    private struct Row: Decodable {
        let file: String
        let format: String
        let message: String
        let expected: [UInt8]
    }

    @Test(
        "in every format, on the pass and enlarged, on a desktop and on a phone", .tags(.repeats),
        arguments: [(1280, 1000), (360, 740)])
    func formats(width: Int, height: Int) throws {
        let screen = try Display(home, width: width, height: height)
        let made = try Program(home: home).shell("python3 -c '\(script)'")
        try #require(made.status == 0, "\(made.errors)")
        let all = try JSONDecoder().decode([Row].self, from: Data(made.output.utf8))
        // The first barcode of each format is checked in every window.
        var formats: Set<String> = []
        let isFirst = all.map { formats.insert($0.format).inserted }
        let isDesk = width > 1000
        let rows = all.indices.filter {
            isEndurance || isFirst[$0] || isDesk && $0.isMultiple(of: 3)
        }
        .map { (row: all[$0], isFirst: isFirst[$0]) }
        let viewer = try screen.view(rows.map { home.path($0.row.file) })
        try screen.shows("label: 1 of \(rows.count)")
        try screen.resize("(Add )?Pass", width: width, height: height)
        for (row, isFirst) in rows {
            try expect(row, in: screen, cutting: .face)
            if isEndurance || isFirst {
                try screen.keys("F9")
                try expect(row, in: screen, cutting: .whole)
                try screen.keys("Escape")
                try screen.hides("frame: Barcode")
            }
            try screen.keys("Page_Down")
        }
        try screen.keys("Escape")
        #expect(try viewer.finish().errors == "")
    }

    /// The area that ZXing reads. It finds an Aztec code only in the middle of a picture.
    private enum Part: String {
        /// Only the card is red, and only the surroundings of the barcode on it are white.
        case face = """
            box() { convert "$1" -fill black +opaque "$2" -format %@ info:; }
            convert screen.ppm -crop "$(box screen.ppm '#c80000')" +repage card.ppm
            convert card.ppm -crop "$(box card.ppm white)" +repage code.ppm
            """
        /// The window behind this one is covered.
        case whole = """
            convert screen.ppm -fill black +opaque '#c80000' -format '%[fx:maxima]' info: | grep -qx 0
            convert screen.ppm -gravity center -crop 100%x70%+0+0 +repage \
                -shave 2x2 -trim +repage code.ppm
            """
    }

    /// Retries until the drawn symbol can be read. Symbols may be rotated by 90 degrees.
    private func expect(_ row: Row, in screen: Display, cutting part: Part) throws {
        var read: [UInt8] = []
        for attempt in 0..<20 where read != row.expected {
            if attempt > 1 { Thread.sleep(forTimeInterval: 0.1) }
            let cut = try screen.program("/bin/sh").run([
                "-ec",
                """
                rm -f code.pgm
                import -window root screen.ppm
                \(part.rawValue)
                convert code.ppm -rotate \(attempt.isMultiple(of: 2) ? 0 : 90) \
                    -bordercolor white -border 40 -depth 8 code.pgm
                """,
            ])
            guard cut.status == 0 else { continue }
            read = try ZXing.octets(in: home.path("code.pgm"), format: row.format)
        }
        #expect(
            read == row.expected, "\(part): \(row.format) \(row.message.debugDescription)")
    }

    /// Character sets are decoded by Python, independently of this project.
    private let script = #"""
        import json, zipfile
        octets = lambda numbers: bytes(numbers).decode("latin-1")
        every = octets(range(256))
        words = "M1LOVELACE/ADA        EABC123 LISOPOTP 1234 123Y012A0001 100"
        rows = []
        for name, read in ("QR", "QRCode"), ("PDF417", "PDF417"), ("Aztec", "Aztec"):
            for encoding, message in (("iso-8859-1", words), ("iso-8859-1", every),
                    ("iso-8859-1", "Gr\u00fc\u00dfe aus M\u00fcnchen"), ("iso-8859-1", "\0"),
                    ("utf-8", "\uc11c\uc6b8\uc5ed 7\ubc88 \uc2b9\uac15\uc7a5"),
                    ("shift_jis", "\u6771\u4eac\u99c5\u30c6\u30b9\u30c8"),
                    ("windows-1251", "\u0411\u0438\u043b\u0435\u0442 \u0432 \u0442\u0435\u0430\u0442\u0440"),
                    ("utf-16be", "\u7b2c\u4e09\u756a")):
                rows.append((name, read, message, encoding, message.encode(encoding)))
        for name, read, message, expected in (
                ("Code128", "Code128", "ABC-abc 1234567890", ""),
                ("Code128", "Code128", "M\u00fcnchen \u00a35", ""),
                ("Code128", "Code128", octets(range(160, 172)), ""),
                ("Code128", "Code128", "ABCDEFGHIJKLMNOPQRST", ""),
                ("Code39", "Code39", "PASS-39 $/+%.", ""),
                ("EAN13", "EAN-13", "4006381333931", ""),
                ("I2of5", "ITF", "1234567890", ""),
                # What ZXing reads stands between the start and the stop.
                ("Codabar", "Codabar", "A40156B", "40156")):
            rows.append((name, read, message, "iso-8859-1",
                (expected or message).encode("latin-1")))
        listed = []
        for index, (name, read, message, encoding, expected) in enumerate(rows):
            content = dict(formatVersion=1, passTypeIdentifier="pass.example.test",
                serialNumber=str(index), teamIdentifier="T", organizationName="Codes",
                description="Code", backgroundColor="rgb(200,0,0)",
                foregroundColor="rgb(255,255,0)", labelColor="rgb(255,255,0)",
                generic=dict(primaryFields=[dict(key="a", value=name)]),
                barcodes=[dict(format="PKBarcodeFormat" + name, message=message,
                    messageEncoding=encoding)])
            file = "%02d-%s.pkpass" % (index, name)
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr("pass.json", json.dumps(content))
                archive.writestr("manifest.json", "{}")
            listed.append(dict(file=file, format=read, message=message, expected=list(expected)))
        print(json.dumps(listed))
        """#
}
