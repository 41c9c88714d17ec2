import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification

/// A pass made by its issuer, and the result of its verification.
struct TestPass {
    var type = "pass.com.example.ticket"
    var serial = "0001"
    var organization = "Example Railways"
    var description = "Ticket"
    var fields: [(label: String, value: String)] = []
    /// pass.strings by language.
    var strings: [String: String] = [:]
    /// Distinguishes versions.
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

    func incoming(from source: String = "/tmp/ticket.pkpass", date: Date? = nil) throws
        -> IncomingPass
    {
        try IncomingPass(file, from: source, date: date)
    }
}

extension IncomingPass {
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

extension PassMaker {
    /// An issuer whose certificate matches the type of the passes made here.
    static func ofTickets() throws -> PassMaker {
        try PassMaker(type: TestPass().type, team: "A1B2C3D4E5")
    }

    var authorityCertificate: [UInt8] {
        get throws { Array(try Data(contentsOf: URL(filePath: authority))) }
    }

    func sign(_ pass: TestPass, at date: Date? = nil) throws -> [UInt8] {
        try make([("pass.json", Array(pass.json))], signedAt: date)
    }
}
