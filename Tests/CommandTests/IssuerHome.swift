import Foundation
import PassFixtures
import Testing

/// A home with the folder of a pass, a certificate for it, and its authority.
struct IssuerHome {
    static let passType = "pass.com.example.issued"
    static let team = "TEAM123456"

    let home: Home
    let program: Program
    let certificate: Certificate
    let root: String

    init() throws {
        home = try Home(named: "issuer")
        program = Program(home: home)
        certificate = try CertificateRecipe.signer(of: Self.passType, team: Self.team).make()
        root = try CertificateRecipe.root.make().path
        try write(serialNumber: "1", to: "Ticket.pass")
    }

    /// The options that name the authority.
    var trust: [String] { ["--trust-root", root] }

    /// The options that name the certificate and its key as files.
    var pair: [String] { ["--certificate", certificate.path, "--key", certificate.keyPath] }

    /// Writes the folder of a pass.
    func write(serialNumber: String, value: String = "A1", to folder: String) throws {
        let json = """
            {"formatVersion": 1, "passTypeIdentifier": "\(Self.passType)",
             "serialNumber": "\(serialNumber)", "teamIdentifier": "\(Self.team)",
             "organizationName": "Example", "description": "A ticket",
             "backgroundColor": "rgb(20, 40, 90)", "foregroundColor": "rgb(255, 255, 255)",
             "labelColor": "rgb(230, 230, 230)",
             "barcodes": [{"format": "PKBarcodeFormatQR", "messageEncoding": "iso-8859-1",
                           "message": "\(serialNumber)"}],
             "generic": {"primaryFields": [
               {"key": "seat", "label": "Seat", "value": "\(value)",
                "changeMessage": "Seat %@"}]}}
            """
        try home.write(Data(json.utf8), to: "\(folder)/pass.json")
        let sizes = [("icon.png", 38), ("icon@2x.png", 76), ("logo.png", 50), ("logo@2x.png", 100)]
        for (name, size) in sizes {
            try home.write(Data(try Self.picture(size)), to: "\(folder)/\(name)")
        }
    }

    /// A PNG of one colour.
    private static func picture(_ size: Int) throws -> [UInt8] {
        let script = """
            import struct, sys, zlib
            size = int(sys.argv[1])
            def chunk(kind, data):
                return (struct.pack(">I", len(data)) + kind + data
                        + struct.pack(">I", zlib.crc32(kind + data)))
            row = b"\\0" + b"\\x20\\x60\\xa0" * size
            sys.stdout.buffer.write(
                b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(row * size)) + chunk(b"IEND", b""))
            """
        return try run(["python3", "-c", script, String(size)], input: [])
    }

    func remove() { home.remove() }

    /// The names in a folder, hidden ones too.
    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: home.folder.appending(path: folder).path
        )
        .sorted()
    }

    /// Whether the program trusts a file, as Wallet would.
    func isTrusted(_ file: String) throws -> Bool {
        try program.run(["verify", "--wallet", file] + trust).status == 0
    }
}
