import Foundation
import Testing

/// Passes of every verdict, and mail that holds them, made by Python and the openssl program when
/// they are first asked for. The keys are thrown away with the program that made them.
struct TestPasses {
    let folder: URL

    /// What Python knows of each file.
    let facts: [String: Facts]

    struct Facts: Decodable {
        let sha256: String
        let size: Int
    }

    static func make() throws -> TestPasses { try made.get() }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// The authority that the trusted pass leads to, as arguments.
    var trust: [String] { ["--trust-root", path("authority.pem")] }

    private static let made = Result {
        let folder = Program.folder.appendingPathComponent("command-tests")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        process.currentDirectoryURL = folder
        process.environment = ["PATH": Program.searchPath]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "the test passes could not be made")
        let facts = try Data(contentsOf: folder.appendingPathComponent("facts.json"))
        return TestPasses(
            folder: folder, facts: try JSONDecoder().decode([String: Facts].self, from: facts))
    }

    private static let script = #"""
        import base64, hashlib, io, json, os, plistlib, subprocess, tempfile, zipfile

        TYPE, TEAM = "pass.example.test", "TEAM123456"
        keys = tempfile.TemporaryDirectory()
        key = lambda name: os.path.join(keys.name, name)
        run = lambda *words: subprocess.run(words, check=True)

        def authority(name):
            run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
                key(name + ".key"), "-out", key(name + ".pem"), "-days", "3650", "-subj",
                "/CN=Test Authority " + name)
            open(key("leaf.cnf"), "w").write("[leaf]\n"
                "extendedKeyUsage=1.2.840.113635.100.4.14\n"
                "1.2.840.113635.100.6.1.16=ASN1:UTF8String:" + TYPE + "\n")
            run("openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout",
                key(name + "-leaf.key"), "-out", key(name + ".csr"), "-subj",
                "/UID=" + TYPE + "/CN=Pass Type ID: " + TYPE + "/OU=" + TEAM)
            run("openssl", "x509", "-req", "-in", key(name + ".csr"), "-CA", key(name + ".pem"),
                "-CAkey", key(name + ".key"), "-CAcreateserial", "-days", "3650", "-out",
                key(name + "-leaf.pem"), "-extfile", key("leaf.cnf"), "-extensions", "leaf")

        authority("one")
        authority("two")
        run("cp", key("one.pem"), "authority.pem")

        def contents(**changes):
            field = lambda key, label, value: dict(key=key, label=label, value=value)
            content = dict(formatVersion=1, passTypeIdentifier=TYPE, serialNumber="0001",
                teamIdentifier=TEAM, organizationName="Example Air", description="Flight to Porto",
                relevantDate="2030-05-01T10:00:00Z", boardingPass=dict(
                    transitType="PKTransitTypeAir",
                    headerFields=[field("gate", "Gate", "23")],
                    primaryFields=[field("from", "Lisbon", "LIS"), field("to", "Porto", "OPO")],
                    auxiliaryFields=[field("seat", "Seat", "12A")],
                    backFields=[field("terms", "Terms", "Be there early.\nBring the dog.")]),
                barcodes=[dict(format="PKBarcodeFormatQR", message="M1LOVELACE/ADA",
                    messageEncoding="iso-8859-1", altText="ABC123")])
            content.update(changes)
            return json.dumps(content).encode()

        facts = {}
        def note(name, octets):
            open(name, "wb").write(octets)
            facts[name] = dict(sha256=hashlib.sha256(octets).hexdigest(), size=len(octets))
            return octets

        def archive(files):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
                for name, octets in files.items():
                    z.writestr(zipfile.ZipInfo(name, (2024, 5, 1, 10, 0, 0)), octets,
                        zipfile.ZIP_DEFLATED)
            return out.getvalue()

        def make(name, signer=None, change=None, strings=None, clock=(), **changes):
            files = {"pass.json": contents(**changes), "icon.png": b"no picture"}
            if strings: files["de.lproj/pass.strings"] = strings.encode()
            if signer:
                files["manifest.json"] = json.dumps(
                    {n: hashlib.sha1(o).hexdigest() for n, o in files.items()}).encode()
                open(key("manifest.json"), "wb").write(files["manifest.json"])
                run(*clock, "openssl", "smime", "-sign", "-binary", "-outform", "DER", "-signer",
                    key(signer + "-leaf.pem"), "-inkey", key(signer + "-leaf.key"), "-in",
                    key("manifest.json"), "-out", key("signature"))
                files["signature"] = open(key("signature"), "rb").read()
            if change: files["icon.png"] = change
            return note(name, archive(files))

        trusted = make("trusted.pkpass", "one", strings='"Gate" = "Flugsteig";\n')
        make("newer.pkpass", "one", description="Flight to Porto, delayed")
        # Signed later than the others, whatever the second.
        make("moved.pkpass", "one", clock=("faketime", "-f", "+5s"), boardingPass=dict(
            transitType="PKTransitTypeAir",
            headerFields=[dict(key="gate", label="Gate", value="7",
                changeMessage="Gate changed to %@")],
            primaryFields=[dict(key="from", label="Lisbon", value="LIS"),
                dict(key="to", label="Porto", value="OPO")],
            auxiliaryFields=[dict(key="seat", label="Seat", value="3C")]))
        make("untrusted.pkpass", "two")
        make("tampered.pkpass", "one", change=b"another picture")
        unsigned = make("unsigned.pkpass", serialNumber="0002")
        make("steering.pkpass", serialNumber="0003",
            organizationName="\x1b[31mred\u202e\x9b", description="two\nlines")
        pose = "  Verdict   trusted: as its issuer signed it"
        make("posing.pkpass", serialNumber="0004", organizationName=pose, logoText="\n" + pose,
            description="x" * 96 + pose + "y" * 76 + pose + "\u2705" * 60 + pose)
        make("marked.pkpass", serialNumber="0005",
            organizationName="<b>trusted</b> &amp; \\074i\\076\n")
        note("html.pkpass", b"<!DOCTYPE html><html><body>Not found</body></html>\n")
        note("empty.pkpass", b"")
        note("five.pkpass", b"PK\x03\x04\n")
        note("climbing.pkpass", archive({"pass.json": contents(), "../climbed.txt": b"out"}))
        note("bomb.pkpass", archive({"pass.json": contents(), "icon.png": bytes(300 << 20)}))
        note("bundle.pkpasses", archive({"a.pkpass": trusted, "b.pkpass": unsigned}))

        def message(index, attachment=None):
            head = ("From ada@example.org Wed May  1 10:0%d:00 2024\n"
                "From: Ada <ada@example.org>\nMessage-ID: <%d@example.org>\n"
                "Date: Wed, 1 May 2024 10:0%d:00 +0000\nSubject: Trip %d\nMIME-Version: 1.0\n"
                % (index, index, index, index))
            if attachment is None: return (head + "\nHello.\n\n").encode()
            name, octets = attachment
            return (head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHere it is.\n--b\n"
                "Content-Type: application/vnd.apple.pkpass; name=" + name + "\n"
                "Content-Transfer-Encoding: base64\n\n"
                + base64.encodebytes(octets).decode() + "--b--\n\n").encode()

        mails = [message(0), message(1, ("unsigned.pkpass", unsigned)),
            message(2, ("trusted.pkpass", trusted))]
        note("mail.mbox", b"".join(mails))
        facts["second message"] = dict(sha256="", size=len(mails[0]))
        note("no-passes.mbox", mails[0] + mails[0])
        note("truncated.mbox", b"".join(mails)[:len(b"".join(mails)) - 2000])
        os.mkdir("nothing")
        plistlib.dump(dict(UTExportedTypeDeclarations=[dict(UTTypeIdentifier="org.example.pass",
            UTTypeConformsTo=["com.apple.pkpass"],
            UTTypeTagSpecification={"public.filename-extension": ["voucher"]})]),
            open("types.plist", "wb"))
        note("html.voucher", b"<!DOCTYPE html><html><body>Not found</body></html>\n")
        json.dump(facts, open("facts.json", "w"))
        """#
}
