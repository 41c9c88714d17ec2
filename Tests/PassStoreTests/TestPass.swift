import Foundation
import PassModel
import PassStore
import PassVerification

/// A pass as its issuer makes it, and as the verifier judges it.
struct TestPass {
    var type = "pass.com.example.ticket"
    var serial = "0001"
    var organization = "Example Railways"
    var description = "Ticket"
    var fields: [(label: String, value: String)] = []
    /// pass.strings by language.
    var strings: [String: String] = [:]
    /// Makes versions differ.
    var note = ""
    var relevantDate: String?
    var relevantDates: [[String: String]]?

    var json: Data {
        get throws {
            var object: [String: Any] = [
                "formatVersion": 1, "passTypeIdentifier": type, "serialNumber": serial,
                "teamIdentifier": "A1B2C3D4E5", "organizationName": organization,
                "description": description, "userInfo": note,
                "generic": [
                    "primaryFields": fields.enumerated().map { index, field in
                        ["key": "field\(index)", "label": field.label, "value": field.value]
                    }
                ],
            ]
            object["relevantDate"] = relevantDate
            object["relevantDates"] = relevantDates
            return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        }
    }

    /// Without a signature.
    var file: [UInt8] {
        get throws {
            var entries = [("pass.json", Array(try json))]
            for (language, text) in strings.sorted(by: { $0.key < $1.key }) {
                entries.append(("\(language).lproj/pass.strings", Array(text.utf8)))
            }
            return storedArchive(entries)
        }
    }

    func arrival(from source: String = "/tmp/ticket.pkpass", date: Date? = nil) throws -> Arrival {
        try Arrival(file, from: source, date: date)
    }
}

extension Arrival {
    struct Refused: Error { let reasons: [Finding] }

    private static let apple = PassVerifier()

    /// A pass file as it arrives.
    init(
        _ file: [UInt8], from source: String = "/tmp/ticket.pkpass", date: Date? = nil,
        by verifier: PassVerifier? = nil
    ) throws {
        let verification = (verifier ?? Self.apple).verify(file)
        guard let pass = verification.verified else {
            throw Refused(reasons: verification.reasons)
        }
        self.init(pass: pass, origin: Origin(source: source, date: date))
    }
}

/// A ZIP archive of uncompressed entries (APPNOTE.TXT, 4.3.6).
func storedArchive(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
        let name = Array(entry.name.utf8)
        let size = little(entry.bytes.count, 4)
        let common =
            little(20, 2) + little(0x0800, 2) + little(0, 2) + little(0, 2) + little(0x21, 2)
            + little(Int(crc32(entry.bytes)), 4) + size + size + little(name.count, 2)
            + little(0, 2)
        directory += Array("PK\u{1}\u{2}".utf8) + little(20, 2) + common
        directory += little(0, 10) + little(archive.count, 4) + name
        archive += Array("PK\u{3}\u{4}".utf8) + common + name + entry.bytes
    }
    let count = little(entries.count, 2)
    return archive + directory + Array("PK\u{5}\u{6}".utf8) + little(0, 4) + count + count
        + little(directory.count, 4) + little(archive.count, 4) + little(0, 2)
}

private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> ($0 * 8) : 0) }
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
        remainder ^= UInt32(byte)
        for _ in 0..<8 {
            remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0)
        }
    }
    return ~remainder
}
