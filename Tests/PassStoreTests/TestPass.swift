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

/// The files of a pass in another archive, as anybody can pack them.
///
/// - Parameter edit: Python code that changes the list `e` of (name, bytes).
func repacked(_ file: [UInt8], _ edit: String) throws -> [UInt8] {
    let lines = """
        old = zipfile.ZipFile(io.BytesIO(e[0][1]))
        e = [(name, old.read(name)) for name in old.namelist()]
        \(edit)
        """
    return try archive(
        of: [("pass", file)], edit: lines, write: "for name, octets in e: z.writestr(name, octets)")
}

/// Changes of ``repacked(_:_:)``.
enum Packaging {
    /// Wallet refuses a pass in a folder.
    static let inFolder = "e = [('Ticket/' + name, octets) for name, octets in e]"

    /// The length of the signature in four octets, as BER allows (X.690, 8.1.3.5).
    static let longLength = """
        def lengthen(octets):
            assert octets[:2] == b'\\x30\\x82'
            return b'\\x30\\x84\\0\\0' + octets[2:]
        e = [(name, lengthen(octets) if name == 'signature' else octets) for name, octets in e]
        """

    /// The signature with a copy of the manifest (RFC 5652, 5.2).
    static let attached = """
        def read(octets):
            count, start = octets[1], 2
            if count > 127:
                start += count - 128
                count = int.from_bytes(octets[2:start], 'big')
            return octets[0], octets[start:start + count], octets[start + count:]
        def parts(octets):
            while octets:
                tag, body, octets = read(octets)
                yield tag, body
        def encode(tag, body):
            size = len(body)
            if size < 128: return bytes([tag, size]) + body
            digits = size.to_bytes((size.bit_length() + 7) // 8, 'big')
            return bytes([tag, 128 + len(digits)]) + digits + body
        def join(all): return b''.join(encode(tag, body) for tag, body in all)
        def attach(signature, manifest):
            info = list(parts(read(signature)[1]))
            signed = list(parts(read(info[1][1])[1]))
            content = list(parts(signed[2][1]))
            content.append((0xa0, encode(4, manifest)))
            signed[2] = 0x30, join(content)
            info[1] = 0xa0, encode(0x30, join(signed))
            return encode(0x30, join(info))
        files = dict(e)
        files['signature'] = attach(files['signature'], files['manifest.json'])
        e = list(files.items())
        """
}
