import Foundation
import PassFixtures
import PassVerification
import Testing

@testable import PassSigning

@Suite("A signed pass is trusted, and other programs agree with its hashes and its signature")
struct PassSignerTests {
    /// Python compares the manifest with the files, and prints what is in the archive.
    private static let check = """
        import hashlib, io, json, sys, zipfile
        archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
        names = archive.namelist()
        assert archive.testzip() is None and len(set(names)) == len(names)
        manifest = json.loads(archive.read("manifest.json"))
        for name, digest in manifest.items():
            assert hashlib.sha1(archive.read(name)).hexdigest() == digest, name
        assert set(names) == set(manifest) | {"manifest.json", "signature"}
        print(json.dumps({name: list(archive.read(name)) for name in names}))
        """

    private static func files(in pass: SignedPass) throws -> [String: [UInt8]] {
        let output = try run(["python3", "-c", check], input: pass.bytes)
        return try JSONDecoder().decode([String: [UInt8]].self, from: Data(output))
    }

    @Test("every style comes back as it was", arguments: SampleFolder.styles, ["leaf", "rsa"])
    func roundTrip(style: String, signer: String) throws {
        let folder = try SampleFolder.make(style)
        let pass = try PassSigner.ofTests(signer).sign(folder, at: signingTime)
        let files = try Self.files(in: pass)
        let manifest = try #require(files["manifest.json"])
        let signature = try #require(files["signature"])
        #expect(files.filter { !PassFolder.made.contains($0.key) } == folder.files)
        #expect(try opensslVerifies(signature, over: manifest))
        #expect(pass.verification.verdict == .trusted)
        #expect(pass.verification.walletRefusals == [])
        #expect(pass.verification.signedAt == signingTime)
    }

    /// Whether openssl verifies the signature and its chain to the root.
    private func opensslVerifies(_ signature: [UInt8], over manifest: [UInt8]) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-signer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(manifest).write(to: folder.appending(path: "manifest.json"))
        try Data(TestAuthority.pem("root")).write(to: folder.appending(path: "root.pem"))
        let output = try run(
            [
                "openssl", "cms", "-verify", "-binary", "-inform", "DER", "-purpose", "any",
                "-attime", "1654084800",
                "-content", folder.appending(path: "manifest.json").path,
                "-CAfile", folder.appending(path: "root.pem").path,
            ], input: signature)
        return output == manifest
    }

    @Test("the signature has a signing time, SHA-256 and the issuers, but not the root")
    func structure() throws {
        let pass = try PassSigner.ofTests("leaf")
            .sign(SampleFolder.make("generic-gym"), at: signingTime)
        let signature = try #require(try Self.files(in: pass)["signature"])
        let text = String(
            decoding: try run(
                ["openssl", "cms", "-cmsout", "-print", "-inform", "DER"], input: signature),
            as: UTF8.self)
        #expect(text.contains("object: signingTime"))
        #expect(text.contains("UTCTIME:Jun  1 12:00:00 2022 GMT"))
        #expect(text.contains("algorithm: sha256 (2.16.840.1.101.3.4.2.1)"))
        #expect(text.contains("eContent: <ABSENT>"))
        #expect(text.contains("subject: CN=Sample Intermediate"))
        #expect(!text.contains("subject: CN=Sample Root"))
    }

    @Test("the same files and time give the same bytes with an RSA key")
    func deterministic() throws {
        let folder = try SampleFolder.make("coupon-shop")
        let signer = try PassSigner.ofTests("rsa")
        let first = try signer.sign(folder, at: signingTime)
        #expect(try signer.sign(folder, at: signingTime).bytes == first.bytes)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var signer = "leaf"
        var change: @Sendable (inout [String: [UInt8]]) -> Void = { _ in }
        let codes: [String]
    }

    private static func replacing(
        _ old: String, _ new: String
    ) -> @Sendable (inout [String: [UInt8]]) -> Void {
        { files in
            let text = String(decoding: files["pass.json"] ?? [], as: UTF8.self)
            files["pass.json"] = Array(text.replacingOccurrences(of: old, with: new).utf8)
        }
    }

    @Test(
        "a pass that would not be trusted, or that Wallet would refuse, is not handed out",
        arguments: [
            Row(
                testDescription: "another pass type",
                change: replacing("pass.com.example.test", "pass.com.example.other"),
                codes: ["pass-type-mismatch", "pass-type-mismatch"]),
            Row(
                testDescription: "another team", change: replacing("TEAM123456", "TEAM654321"),
                codes: ["team-mismatch"]),
            Row(
                testDescription: "a certificate for mail", signer: "mail",
                codes: ["wrong-certificate-purpose"]),
            Row(
                testDescription: "a certificate of a stranger", signer: "forged",
                codes: ["no-path-to-anchor"]),
            Row(
                testDescription: "no icon",
                change: { files in
                    for name in files.keys where name.contains("icon") { files[name] = nil }
                }, codes: ["missing-icon"]),
            Row(
                testDescription: "a pass.json that is no JSON",
                change: { $0["pass.json"] = Array("{".utf8) }, codes: ["pass-json-unreadable"]),
        ])
    func refused(row: Row) throws {
        var folder = try SampleFolder.make("generic-gym")
        row.change(&folder.files)
        let error = #expect(throws: SigningError.self) {
            try PassSigner.ofTests(row.signer).sign(folder, at: signingTime)
        }
        let findings: [Finding] =
            switch error {
            case .notTrusted(let findings), .refusedByWallet(let findings): findings
            default: []
            }
        #expect(findings.map(\.code) == row.codes)
    }

    /// Values of each kind, and those at which readers of JSON differ.
    private static let values = [
        "null", "true", "0", "1", "1.0", "1.5", "-0", "1e22", "1e400", "9223372036854775807",
        "10000000000000000000000", "\"\"", "\" \"", "\"1\"", "\"\\u0000\"", "\"1\\u0000\"",
        "\"\\ud800\"", "\"A\\u0301\"", "\"A\(String(repeating: "\u{301}", count: 31))\"", "[]",
        "[[]]", "[{}]", "{}", #"{"\u0000": 1}"#, #"{"transitType": "PKTransitTypeAir"}"#,
        #"{"transitType": "air"}"#, #"{"transitType": 1e400}"#,
        #"{"backFields": [{"key": "a", "value": 1}, {"key": "a", "value": 1}]}"#,
        #"[{"backFields": [{"key": "a", "value": 1}, {"key": "a", "value": 1}]}]"#,
        #"{"backFields": [{"key": "1", "value": 1}, {"key": 1, "value": 1}]}"#,
        "1 /* one */", "1,",
    ]

    @Test(
        "a folder in which the linter finds no error can be signed, whatever a key holds",
        arguments: [
            "formatVersion", "passTypeIdentifier", "serialNumber", "teamIdentifier",
            "organizationName", "description", "generic", "boardingPass", "posterGeneric",
            "upcomingPassInformation", "logoText", "barcodes", "locations", "relevantDate",
            "userInfo", "nfc", "voided", "unknown",
        ])
    func linted(key: String) throws {
        let signer = try PassSigner.ofTests("leaf")
        var signed = 0
        for value in Self.values {
            var folder = CleanFolder()
            // Of a repeated key, the last value counts.
            let text = String(decoding: folder.files["pass.json"] ?? [], as: UTF8.self).dropLast()
            folder.files["pass.json"] = Array("\(text), \"\(key)\": \(value)}".utf8)
            let lint = PassLint(
                folder.folder, certificates: signer.identity.certificates, at: signingTime)
            guard !lint.findings.contains(where: { $0.severity == .error }) else { continue }
            #expect(throws: Never.self, "\(value)") {
                try signer.sign(folder.folder, at: signingTime)
            }
            signed += 1
        }
        // No value is the pass type or the team of the certificate.
        #expect((signed > 0) == !["passTypeIdentifier", "teamIdentifier"].contains(key))
    }

    @Test("a folder with as many files as its limits allow can be signed")
    func mostFiles() throws {
        var folder = CleanFolder()
        let limit = PassFolderLimits().entries
        for number in folder.files.count..<limit { folder.files["\(number).txt"] = [] }
        #expect(folder.files.count == 998)
        let signer = try PassSigner.ofTests("leaf")
        #expect(throws: Never.self) { try signer.sign(folder.folder, at: signingTime) }
        folder.files["more.txt"] = []
        #expect(throws: SigningError.self) { try signer.sign(folder.folder, at: signingTime) }
    }

    @Test("a folder without pass.json is not signed")
    func empty() throws {
        #expect(throws: SigningError.noPass) {
            try PassSigner.ofTests("leaf").sign(PassFolder([:]))
        }
    }

    @Test("paths with quotes and letters of any language are hashed and signed")
    func paths() throws {
        var folder = try SampleFolder.make("generic-gym")
        folder.files["de.lproj/ein \"Größe\".png"] = [1, 2, 3]
        let pass = try PassSigner.ofTests("leaf").sign(folder, at: signingTime)
        #expect(try Self.files(in: pass)["de.lproj/ein \"Größe\".png"] == [1, 2, 3])
    }
}
