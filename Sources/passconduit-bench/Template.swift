import Foundation

/// The folder of a template to sign, with its data and a certificate.
struct Template {
    private let place: URL

    init(in path: String) {
        place = URL(filePath: path)
    }

    /// The files that become part of each pass.
    var folder: String { path("Event.pass") }
    /// A row for each pass.
    var data: String { path("rows.csv") }
    /// The root certificate, which trusts nothing but these passes.
    var root: String { path("root.pem") }
    /// The certificate of the pass type and that of its issuer.
    var certificates: String { path("certificates.pem") }
    /// The key of the pass type, which is nowhere else.
    var key: String { path("key.pem") }

    private func path(_ name: String) -> String { place.appendingPathComponent(name).path }

    /// - Parameter corpus: The folder for the output of programs.
    func make(_ count: Int, seed: UInt64, in corpus: URL) throws -> Piece.Contents {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/de.lproj", withIntermediateDirectories: true)
        var random = Random(state: seed)
        var files = [("pass.json", Array(Self.pass.utf8)), ("de.lproj/pass.strings", Self.german)]
        for (name, width, height) in Self.images {
            files.append((name, PNG.noise(width: width, height: height, &random)))
        }
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        var rows = "serial,name,seat,gate,code\n"
        for number in 0..<count {
            let name = random.one(of: Self.names)
            let seat = "\(1 + random.below(80))\(random.one(of: ["A", "B", "C", "D"]))"
            let code = String(random.next(), radix: 36)
            rows += "N\(Piece.number(number)),\(name),\(seat),\(random.below(20)),\(code)\n"
        }
        try Data(rows.utf8).write(to: URL(filePath: data))
        try makeCertificates(in: corpus)
        return Piece.Contents(passes: count)
    }

    // MARK: Certificates

    private func makeCertificates(in corpus: URL) throws {
        try Data(Self.requests.utf8).write(to: URL(filePath: path("openssl.cnf")))
        let (rootKey, issuerKey) = (path("root.key"), path("issuer.key"))
        let (issuer, leaf) = (path("issuer.pem"), path("leaf.pem"))
        func openssl(_ words: String...) throws { _ = try Child(["openssl"] + words, in: corpus) }
        func request(_ section: String, _ key: String, _ words: [String]) throws {
            _ = try Child(
                [
                    "openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key,
                    "-config", path("openssl.cnf"), "-section", section,
                ] + words, in: corpus)
        }
        func certify(_ section: String, _ by: String, _ key: String, _ file: String) throws {
            try openssl(
                "x509", "-req", "-in", path("request.pem"), "-CA", by, "-CAkey", key,
                "-CAcreateserial", "-days", "3650", "-sha256", "-extfile", path("openssl.cnf"),
                "-extensions", "\(section)_extensions", "-out", file)
        }
        try request(
            "root", rootKey,
            ["-x509", "-days", "3650", "-sha256", "-extensions", "root_extensions", "-out", root])
        try request("issuer", issuerKey, ["-out", path("request.pem")])
        try certify("issuer", root, rootKey, issuer)
        try request("leaf", key, ["-out", path("request.pem")])
        try certify("leaf", issuer, issuerKey, leaf)
        let files = try [leaf, issuer].map { try Data(contentsOf: URL(filePath: $0)) }
        try (files[0] + files[1]).write(to: URL(filePath: certificates))
        for name in [rootKey, issuerKey, path("request.pem")] {
            try FileManager.default.removeItem(atPath: name)
        }
    }

    /// As Apple's certificates: with the pass type in the subject and in an extension.
    private static let requests = """
        [root]
        prompt = no
        distinguished_name = root_name
        [root_name]
        CN = passconduit bench root, not Apple
        [root_extensions]
        basicConstraints = critical,CA:TRUE
        keyUsage = critical,keyCertSign,cRLSign
        subjectKeyIdentifier = hash

        [issuer]
        prompt = no
        distinguished_name = issuer_name
        [issuer_name]
        CN = passconduit bench intermediate
        [issuer_extensions]
        basicConstraints = critical,CA:TRUE,pathlen:0
        keyUsage = critical,keyCertSign,cRLSign
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid

        [leaf]
        prompt = no
        distinguished_name = leaf_name
        [leaf_name]
        UID = pass.example.bench
        CN = Pass Type ID: pass.example.bench
        OU = BENCH00001
        O = passconduit bench
        C = DE
        [leaf_extensions]
        basicConstraints = critical,CA:FALSE
        keyUsage = critical,digitalSignature
        extendedKeyUsage = critical,1.2.840.113635.100.4.14
        1.2.840.113635.100.6.1.16 = ASN1:UTF8String:pass.example.bench
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid

        """

    // MARK: Files

    /// Together 40 KB.
    private static let images = [
        ("icon.png", 29, 29), ("icon@2x.png", 58, 58), ("logo.png", 60, 30),
        ("logo@2x.png", 100, 30), ("strip@2x.png", 120, 40),
    ]

    private static let names = ["Ana", "Boris", "Chiara", "David", "Elif", "Małgorzata", "Jürgen"]

    private static let german = Array(
        """
        "Guest" = "Gast";
        "Seat" = "Platz";
        "Gate" = "Eingang";

        """.utf8)

    private static let pass = """
        {
          "formatVersion": 1,
          "passTypeIdentifier": "pass.example.bench",
          "teamIdentifier": "BENCH00001",
          "serialNumber": "{{serial}}",
          "organizationName": "Bench Arena",
          "description": "Ticket for {{name}}",
          "logoText": "Arena",
          "relevantDate": "2030-06-01T19:30:00Z",
          "backgroundColor": "rgb(20, 60, 114)",
          "foregroundColor": "rgb(255, 255, 255)",
          "labelColor": "rgb(255, 255, 255)",
          "barcodes": [
            {
              "format": "PKBarcodeFormatQR",
              "message": "T1{{code}}",
              "messageEncoding": "iso-8859-1",
              "altText": "{{code}}"
            }
          ],
          "eventTicket": {
            "headerFields": [{"key": "gate", "label": "Gate", "value": "{{gate:number}}"}],
            "primaryFields": [{"key": "event", "label": "", "value": "Summer concert"}],
            "secondaryFields": [{"key": "name", "label": "Guest", "value": "{{name}}"}],
            "auxiliaryFields": [
              {"key": "seat", "label": "Seat", "value": "{{seat}}"},
              {"key": "doors", "label": "Doors", "value": "18:30"}
            ],
            "backFields": [
              {
                "key": "terms",
                "label": "Terms",
                "value": "Admission only with this ticket, which is valid once. Ticket {{serial}} of {{name}} can be returned until the day before the concert."
              }
            ]
          }
        }

        """
}
