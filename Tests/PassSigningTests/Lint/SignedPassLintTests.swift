import Foundation
import PassFixtures
import PassModel
import PassSigning
import PassVerification
import Testing

/// Certificates and signatures are made by the openssl program.
@Suite("The linter checks certificates and signatures")
struct SignedPassLintTests {
    private static let soon = "2022-06-01"

    private func certificates(_ names: [String]) throws -> SigningCertificates {
        try SigningCertificates(names.flatMap { try TestAuthority.pem($0) })
    }

    @Test(
        "a folder is checked against the certificate that will sign it",
        arguments: [
            (["leaf"], []), (["leaf", "intermediate"], []), (["intermediate", "leaf"], []),
            (["leaf", "root"], [Found("intermediate-wrong", "signature")]),
            (["purposeless"], [Found("wrong-certificate-purpose", "signature")]),
            (["misnamed"], [Found("pass-type-mismatch", "pass.json", "passTypeIdentifier")]),
            (["stranger-team"], [Found("team-mismatch", "pass.json", "teamIdentifier")]),
            (["rsa-2047"], [Found("weak-key", "signature")]),
            (["not-for-signing"], [Found("key-usage-without-signature", "signature")]),
        ] as [([String], [Found])])
    func certificate(names: [String], found: [Found]) throws {
        let certificates = try certificates(names)
        // Any time within its validity, of which only the end is public.
        let time = certificates.notAfter.addingTimeInterval(-86_400)
        let lint = PassLint(CleanFolder().folder, certificates: certificates, at: time)
        #expect(lint.findings.map(Found.init) == found)
    }

    @Test("an expired certificate is an error")
    func expired() throws {
        let certificates = try certificates(["leaf"])
        let later = certificates.notAfter.addingTimeInterval(1)
        let findings = PassLint(
            CleanFolder().folder, certificates: certificates, at: later
        ).findings
        #expect(findings.map(Found.init) == [Found("certificate-not-valid", "signature")])
        #expect(findings.map(\.severity) == [.error])
    }

    @Test("a file without a certificate is an error")
    func noCertificate() {
        #expect(throws: TrustAnchorError.self) { try SigningCertificates(Array("x".utf8)) }
        #expect(throws: TrustAnchorError.self) { try SigningCertificates([]) }
    }

    /// A pass signed by openssl.
    private func packed(
        with others: [String] = ["intermediate"], by signer: String = "leaf",
        _ options: [String] = ["-binary"], edit: (inout CleanFolder) -> Void = { _ in },
        after: (inout [(name: String, bytes: [UInt8])]) -> Void = { _ in }
    ) throws -> PackedPass {
        var folder = CleanFolder()
        edit(&folder)
        var files = folder.files.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: $0.value) }
        let manifest = Array(try PassFixtures.manifest(of: files).utf8)
        files.append(("manifest.json", manifest))
        files.append(
            (
                "signature",
                try TestAuthority.sign(
                    manifest, by: [signer], with: others, on: Self.soon, options)
            ))
        after(&files)
        let anchors = try TrustAnchors(certificates: [try TestAuthority.pem("root")])
        return PackedPass(storedArchive(files), verifier: PassVerifier(anchors: anchors))
    }

    /// Without the note that the certificate, which is valid for two years, has expired since.
    private func found(_ packed: PackedPass) -> [Found] {
        PassLint(packed).findings.map(Found.init).filter { $0.rule != "certificate-expired-since" }
    }

    @Test("a good pass has no findings")
    func good() throws {
        let packed = try packed()
        #expect(packed.verification.verdict == .trusted)
        #expect(found(packed) == [])
        #expect(packed.folder.files == CleanFolder().files)
    }

    @Test("the authority must be in the signature, and the right one")
    func intermediates() throws {
        #expect(found(try packed(with: [])).contains(Found("intermediate-missing", "signature")))
        #expect(
            found(try packed(with: ["root"])).contains(Found("intermediate-wrong", "signature")))
        // Issued by the trusted root itself.
        let direct = try packed(with: [], by: "by-root")
        #expect(!found(direct).contains { $0.rule.hasPrefix("intermediate") })
    }

    @Test("a signature without signing time is an error")
    func signingTime() throws {
        let found = found(try packed(["-binary", "-noattr"]))
        #expect(found == [Found("no-signing-time", "signature")])
    }

    @Test("a changed, an added and a missing file are errors")
    func manifest() throws {
        let packed = try packed(after: { files in
            files.removeAll { $0.name == "logo.png" }
            files.append(("strip.png", CleanFolder.png(375, 144)))
            for index in files.indices where files[index].name == "icon.png" {
                files[index].bytes = CleanFolder.png(29, 29)
            }
        })
        #expect(
            Set(found(packed)) == [
                Found("file-differs", "icon.png"), Found("file-missing", "logo.png"),
                Found("file-not-listed", "strip.png"),
            ])
    }

    @Test("mistakes in the files are found as in a folder")
    func contents() throws {
        let found = found(try packed(edit: { $0.replace("0123456789abcdef", "short") }))
        #expect(found == [Found("short-token", "pass.json", "authenticationToken")])
    }

    @Test(
        "what is not an archive has one finding",
        arguments: [
            ("", "not-an-archive"), ("x", "not-an-archive"), ("PK\u{3}\u{4}", "archive-cut-off"),
        ])
    func damaged(text: String, finding: String) {
        let findings = PassLint(PackedPass(Array(text.utf8))).findings
        #expect(findings.map(Found.init) == [Found(finding, "")])
    }

    @Test("a bundle has at most ten passes")
    func bundle() throws {
        let pass = storedArchive(CleanFolder().files.map { ($0.key, $0.value) })
        func bundle(_ count: Int) -> PassBundle? {
            PassBundle(storedArchive((0..<count).map { ("\($0).pkpass", pass) }))
        }
        #expect(bundle(10)?.findings == [])
        #expect(bundle(11)?.findings.map(Found.init) == [Found("too-many-passes", "")])
        #expect(bundle(11)?.passes.count == 11)
        #expect(PassBundle(pass) == nil)
        #expect(PassBundle([]) == nil)
    }
}
