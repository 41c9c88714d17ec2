import Archives
import Bytes
import Foundation
import PassVerification

/// A pass to be made: sound unless a test says otherwise.
struct TestPass: Sendable {
    /// The files, in the order of the archive, without manifest.json and signature.
    var files: [(name: String, text: String)] = [
        (
            "pass.json",
            """
            {"formatVersion": 1, "passTypeIdentifier": "pass.com.example.test",
             "serialNumber": "1", "teamIdentifier": "TEAM123456", "organizationName": "Sample",
             "description": "A sample", "generic": {}}
            """
        ),
        ("icon.png", "an icon"),
        ("en.lproj/pass.strings", "\"a\" = \"b\";"),
    ]
    /// Changes the manifest after it was made and before it is signed.
    var manifest: @Sendable (String) -> String = { $0 }
    var signers = ["leaf"]
    var certificates = ["intermediate"]
    var date = "2022-06-01"
    var options = ["-binary"]
    var isSigned = true
    /// Changes the signature after it was made.
    var signature: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    /// Changes the files after all was signed: `e` is the list of (name, bytes) in Python.
    var edit = ""
    /// Writes the archive `z` of `e` in Python.
    var write = "for n, b in e: z.writestr(n, b)"
    /// Changes the archive after it was made.
    var archive: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    /// The pass, and what lies in its archive for openssl to judge.
    struct Made {
        let bytes: [UInt8]
        let manifest: [UInt8]?
        let signature: [UInt8]?
    }

    func make() throws -> Made {
        let authority = try TestAuthority.shared.get()
        let made = try run(["python3", "-c", Self.manifestProgram], input: json(files))
        let manifest = Array(self.manifest(String(decoding: made, as: UTF8.self)).utf8)
        var signature: [UInt8]?
        if isSigned {
            signature = self.signature(
                try authority.sign(manifest, by: signers, with: certificates, on: date, options))
        }
        let request: [String: Any] = [
            "files": files.map { [$0.name, $0.text] },
            "manifest": Data(manifest).base64EncodedString(),
            "signature": signature.map { Data($0).base64EncodedString() } ?? "",
            "edit": edit, "write": write,
        ]
        let input = Array(try JSONSerialization.data(withJSONObject: request))
        let bytes = try run(["python3", "-c", Self.archiveProgram], input: input)
        let finished = self.archive(bytes)
        guard let archive = try? ZipArchive(Octets(finished)) else {
            return Made(bytes: finished, manifest: nil, signature: nil)
        }
        return Made(
            bytes: finished, manifest: try contents(archive, "manifest.json"),
            signature: try contents(archive, "signature"))
    }

    private func contents(_ archive: borrowing ZipArchive, _ name: String) throws -> [UInt8]? {
        guard let entry = archive.entry(named: name) else { return nil }
        return try archive.octets(of: entry).array()
    }

    private func json(_ files: [(name: String, text: String)]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: files.map { [$0.name, $0.text] }))
    }

    private static let manifestProgram = """
        import sys, json, hashlib
        files = json.load(sys.stdin)
        hashes = {n: hashlib.sha1(t.encode()).hexdigest() for n, t in files}
        sys.stdout.write(json.dumps(hashes, indent=1) + '\\n')
        """

    private static let archiveProgram = """
        import sys, json, base64, zipfile, io, warnings
        warnings.simplefilter('ignore')
        r = json.load(sys.stdin)
        e = [(n, t.encode()) for n, t in r['files']]
        e.append(('manifest.json', base64.b64decode(r['manifest'])))
        if r['signature']: e.append(('signature', base64.b64decode(r['signature'])))
        exec(r['edit'])
        out = io.BytesIO()
        z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)
        exec(r['write'])
        z.close()
        sys.stdout.buffer.write(out.getvalue())
        """
}

extension PassVerifier {
    /// One that believes the root of the test authority and nobody else.
    static func ofTests(
        limits: VerificationLimits = VerificationLimits(), at time: Date? = nil
    ) throws -> PassVerifier {
        let root = try TestAuthority.shared.get().pem("root")
        return PassVerifier(
            anchors: try TrustAnchors(certificates: [root]), limits: limits, at: time)
    }
}

extension Verification {
    var reasonCodes: [String] { reasons.map(\.code) }
    var noteCodes: [String] { notes.map(\.code) }
}
