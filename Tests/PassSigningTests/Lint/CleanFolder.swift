import Foundation
import PassModel
import PassSigning

/// A folder without mistakes, to which a test adds some.
struct CleanFolder: Sendable {
    var files: [String: [UInt8]]

    /// - Parameter style: The style of the pass.
    init(_ style: PassStyle = .generic) {
        let transit = style == .boardingPass ? "\"transitType\": \"PKTransitTypeAir\"," : ""
        files = [
            "pass.json": Array(
                """
                {
                    "formatVersion": 1,
                    "passTypeIdentifier": "pass.com.example.test",
                    "serialNumber": "1",
                    "teamIdentifier": "TEAM123456",
                    "organizationName": "Sample",
                    "description": "A sample",
                    "webServiceURL": "https://passes.example.com/",
                    "authenticationToken": "0123456789abcdef",
                    "backgroundColor": "rgb(255, 255, 255)",
                    "foregroundColor": "rgb(0, 0, 0)",
                    "relevantDates": [{"date": "2026-05-01T19:30+02:00"}],
                    "locations": [{"latitude": 48.1, "longitude": 11.6}],
                    "barcodes": [{
                        "format": "PKBarcodeFormatQR", "message": "M1", "messageEncoding": "utf-8"
                    }],
                    "\(style.rawValue)": {
                        \(transit)
                        "headerFields": [{"key": "gate", "label": "GATE", "value": "4"}],
                        "primaryFields": [
                            {"key": "price", "value": 12.5, "currencyCode": "EUR"},
                            {"key": "day", "value": "2026-05-01", "dateStyle": "PKDateStyleLong"}
                        ],
                        "backFields": [
                            {"key": "terms", "value": "None", "changeMessage": "Now: %@"}
                        ]
                    }
                }
                """.utf8),
            "icon.png": CleanFolder.png(38, 38),
            "icon@2x.png": CleanFolder.png(76, 76),
            "logo.png": CleanFolder.png(160, 50),
            "en.lproj/pass.strings": Array("\"GATE\" = \"Gate\";\n".utf8),
            "de.lproj/pass.strings": Array("\"GATE\" = \"Flugsteig\";\n".utf8),
            "de.lproj/logo@2x.png": CleanFolder.png(320, 100),
        ]
    }

    /// Replaces a text in a file.
    mutating func replace(_ old: String, _ new: String, in file: String = "pass.json") {
        let text = String(decoding: files[file] ?? [], as: UTF8.self)
        files[file] = Array(text.replacingOccurrences(of: old, with: new).utf8)
    }

    /// Adds keys to pass.json.
    mutating func add(_ members: String) {
        replace("\"formatVersion\": 1,", "\"formatVersion\": 1, \(members),")
    }

    /// The beginning of a PNG (PNG, 5.2 and 11.2.1), which is all that the linter reads.
    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes(13) + Array("IHDR".utf8)
            + bytes(width) + bytes(height) + [8, 6, 0, 0, 0]
    }

    var folder: PassFolder { PassFolder(files) }
}

/// A finding by its rule, file and key.
struct Found: Hashable, CustomStringConvertible, Sendable {
    let rule, file: String
    let key: String?

    init(_ rule: String, _ file: String = "pass.json", _ key: String? = nil) {
        self.rule = rule
        self.file = file
        self.key = key
    }

    init(_ finding: LintFinding) {
        self.init(finding.fault.rule, finding.file, finding.keyPath)
    }

    var description: String { "\(rule) \(file) \(key ?? "")" }
}
