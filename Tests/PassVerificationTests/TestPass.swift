import Archives
import Bytes
import Foundation
import PassFixtures
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

    private func contents(_ archive: borrowing ZipArchive, _ name: String) throws -> [UInt8]? {
        guard let entry = archive.entry(named: name) else { return nil }
        return try archive.octets(of: entry).array()
    }
}

extension PassVerifier {
    /// One that believes the root of the test authority and nobody else.
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
