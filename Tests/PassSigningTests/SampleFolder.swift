import Foundation
import PassFixtures
import PassVerification
import Testing

@testable import PassSigning

/// The folder of a sample, with the identifiers of the test authority.
enum SampleFolder {
    static let styles = [
        "boarding-pass-air-gate-4", "boarding-pass-train", "coupon-shop", "event-ticket-cinema",
        "generic-gym", "store-card-cafe",
    ]

    /// A script that unpacks a pass without its signature and names another type and team.
    private static let script = """
        import io, json, sys, zipfile
        sys.stdin.reconfigure(encoding="latin-1")
        archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
        files = {}
        for name in archive.namelist():
            if name not in ("manifest.json", "signature"):
                files[name] = archive.read(name)
        value = json.loads(files["pass.json"])
        value["passTypeIdentifier"], value["teamIdentifier"] = sys.argv[1:]
        files["pass.json"] = json.dumps(value).encode()
        print(json.dumps({name: list(bytes) for name, bytes in files.items()}))
        """

    static func make(_ style: String) throws -> PassFolder {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Samples/passes/trusted/\(style).pkpass")
        let output = try run(
            ["python3", "-c", script, TestAuthority.passType, TestAuthority.team],
            input: Array(try Data(contentsOf: file)))
        return PassFolder(
            try JSONDecoder().decode([String: [UInt8]].self, from: Data(output)))
    }
}

extension SigningIdentity {
    /// A certificate of the test authority with its key, whose issuers are others of it.
    static func ofTests(
        _ name: String, issuers: [String] = ["intermediate", "root", "impostor"]
    ) throws -> SigningIdentity {
        let certificate = try TestAuthority.certificate(name)
        return try SigningIdentity(
            certificate: Array(try Data(contentsOf: URL(filePath: certificate.path))),
            key: Array(try Data(contentsOf: URL(filePath: certificate.keyPath))),
            issuers: issuers.map(TestAuthority.pem))
    }
}

extension PassSigner {
    static func ofTests(_ name: String) throws -> PassSigner {
        PassSigner(
            try .ofTests(name),
            verifiedBy: PassVerifier(
                anchors: try TrustAnchors(certificates: [TestAuthority.pem("root")])))
    }
}

/// A moment at which the certificates of the test authority are valid.
let signingTime = Date(timeIntervalSince1970: 1_654_084_800)  // 2022-06-01T12:00:00Z
