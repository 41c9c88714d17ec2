import Archives
import Bytes
import Foundation
import PassFixtures
import PassVerification

/// A pass to be made. It is valid unless a test changes it.
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
    /// Changes the manifest before signing.
    var manifest: @Sendable (String) -> String = { $0 }
    var signers = ["leaf"]
    var certificates = ["intermediate"]
    var date = "2022-06-01"
    var options = ["-binary"]
    var isSigned = true
    /// Changes the signature.
    var signature: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    /// Changes the files after signing. Python code, in which `e` is the list of (name, bytes).
    var edit = ""
    /// Writes `e` to the archive `z`. Python code.
    var write = "for n, b in e: z.writestr(n, b)"
    /// Changes the finished archive.
    var archive: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    /// The pass, and the contents of its archive for openssl to verify.
    struct Made {
        let bytes: [UInt8]
        let manifest: [UInt8]?
        let signature: [UInt8]?
    }

    func make() throws -> Made {
        var files = files.map { (name: $0.name, bytes: Array($0.text.utf8)) }
        let manifest = Array(self.manifest(try PassFixtures.manifest(of: files)).utf8)
        files.append(("manifest.json", manifest))
        if isSigned {
            let signature = try TestAuthority.sign(
                manifest, by: signers, with: certificates, on: date, options)
            files.append(("signature", self.signature(signature)))
        }
        let finished = self.archive(
            try PassFixtures.archive(of: files, edit: edit, write: write))
        guard let archive = try? ZipArchive(SpooledBytes(finished)) else {
            return Made(bytes: finished, manifest: nil, signature: nil)
        }
        return Made(
            bytes: finished, manifest: try contents(archive, "manifest.json"),
            signature: try contents(archive, "signature"))
    }

    private func contents(_ archive: ZipArchive, _ name: String) throws -> [UInt8]? {
        guard let entry = archive.entry(named: name) else { return nil }
        return try archive.octets(of: entry).array()
    }
}

extension PassVerifier {
    /// A verifier that trusts only the root of the test authority.
    static func ofTests(
        limits: VerificationLimits = VerificationLimits(), at time: Date? = nil
    ) throws -> PassVerifier {
        let root = try TestAuthority.pem("root")
        return PassVerifier(
            anchors: try TrustAnchors(certificates: [root]), limits: limits, at: time)
    }
}

extension Verification {
    var reasonCodes: [String] { reasons.map(\.code) }
    var noteCodes: [String] { notes.map(\.code) }
}
